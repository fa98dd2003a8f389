//! `Self`, which would mean another type in each item.

pipes::proto! {
    p {
        s: send { m(Vec<Self>) -> s, n(u8) -> other<Self> }
        other: send<T> { o(T) -> s }
    }
}

fn main() {}
