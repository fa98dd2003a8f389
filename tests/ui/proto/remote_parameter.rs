//! A parameter of a state, for which each step chooses a type.

pipes::proto! {
    #[remote]
    growing {
        start: send { first -> open<u8>, second -> open<u16> }
        open: send<T> { item(T) -> ! }
    }
}

fn main() {
    let _ = growing::pipe();
}
