//! Arguments that grow: in one state, on the way through two, changing places, as a projection.

pipes::proto! {
    p {
        s: send<T> { m(T) -> s<Vec<T>> }
    }
    q {
        there: send<T> { m(T) -> back<(T, T)> }
        back: recv<U> { m(U) -> there<U> }
    }
    r {
        s: send<T, U> { m(T, U) -> s<U, Option<T>> }
    }
    o {
        s: send<T: Peel> { m(T) -> s<T::Rest> }
    }
}

trait Peel {
    type Rest: Peel;
}

fn main() {
    let _ = p::pipe::<u8>();
    let _ = q::pipe::<u8>();
}
