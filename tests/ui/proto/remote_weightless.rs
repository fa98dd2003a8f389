//! A stranger could announce any number of elements that take no bytes.

pipes::proto! {
    #[remote]
    crowd {
        s: send { names(Vec<String>) -> s, present(Vec<()>) -> !, seats(Option<Box<[((), [u8; 0])]>>) -> ! }
    }
}

fn main() {
    let _ = crowd::pipe();
}
