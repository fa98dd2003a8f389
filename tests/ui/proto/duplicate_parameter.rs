//! Two parameters of one name: of a protocol and its state, in one list, of two kinds in two states.

pipes::proto! {
    p<T> {
        s: send<T> { m(T) -> s<T> }
    }
    q<T, T> {
        s: send { m(T) -> s }
    }
    r {
        s: send<'a, 'a> { m(&'a u8) -> s<'a, 'a> }
    }
    o {
        s: send<T> { m(T) -> s2<1> }
        s2: send<const T: usize> { m([u8; T]) -> s<u8> }
    }
}

fn main() {}
