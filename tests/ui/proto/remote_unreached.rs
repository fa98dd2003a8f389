//! A parameter of states that no session reaches.

pipes::proto! {
    #[remote]
    half<T> {
        open: send { number(u8) -> ! }
        #[allow(deprecated)]
        lost: send { item(T) -> ! }
    }
}

fn main() {
    let _ = half::pipe();
}
