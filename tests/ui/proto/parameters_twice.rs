//! Parameters of a state after its name and after its direction.

pipes::proto! {
    p {
        s<T>: send<T> { m(T) -> s<T> }
    }
    q {
        s<T>: send<U> { m(T) -> s<T> }
    }
}

fn main() {
    let _ = p::pipe::<u8>();
}
