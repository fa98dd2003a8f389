//! Parameters with defaults: a type's and a constant's, on a protocol and on a state in both places.

pipes::proto! {
    p<T = u8, const N: usize = 1> {
        s: send { m([T; N]) -> s }
    }
    q {
        there<T = u8>: send { m(T) -> back<T> }
        back: recv<T = u8> { m(T) -> there<T> }
    }
}

fn main() {
    let _ = p::pipe::<u8, 1>();
    let _ = q::pipe::<u8>();
}
