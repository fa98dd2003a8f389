//! Macros in bounds and in constants that are passed on: in each item they may become something else.

macro_rules! number {
    () => {
        u64
    };
}

macro_rules! three {
    () => {
        3
    };
}

pipes::proto! {
    p where U: From<number!()> {
        s: send<T: Into<number!()>> { m(T) -> other<T> }
        other: send<U> { o(U) -> array<{ three!() }> }
        array: send<const N: usize> { p([u8; N]) -> ! }
    }
}

fn main() {}
