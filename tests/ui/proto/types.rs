//! Types of payloads, arguments and bounds.

/// A payload without a known size; `Box<str>` and references have one.
mod r#unsized {
    pipes::proto! {
        texts {
            s: send {
                text(str) -> s,
                bytes(from: u8, bytes: [u8]) -> s,
                function((dyn Fn(u8) -> u8 + Send)) -> s,
                pair((u8, str)) -> s,
                sized(Box<str>, &'static str, [u8; 2]) -> !
            }
        }
    }

    fn expanded() {
        let (client, _server) = texts::pipe();
        let _ = client.text("text");
    }
}

/// `Self`, which would mean another type in each item.
mod self_type {
    pipes::proto! {
        p {
            s: send { m(Vec<Self>) -> s, n(u8) -> other<Self> }
            other: send<T> { o(T) -> s }
        }
        in_a_bound { s: send<T: Iterator<Item = Self>> { m(T::Item) -> s<T> } }
        in_a_where_clause<T> where T: Iterator<Item = <Self as Deref>::Target> {
            s: send { m(T::Item) -> s }
        }
    }
}

/// Macros in bounds and in constants that are passed on: in each item they may become something else.
mod macro_in_bound {
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

    macro_rules! me {
        () => {
            Self
        };
    }

    pipes::proto! {
        p where U: From<number!()> {
            s: send<T: Into<number!()>> { m(T) -> other<T> }
            other: send<U> { o(U) -> array<{ three!() }> }
            array: send<const N: usize> { p([u8; N]) -> ! }
        }
        self_from_a_macro {
            s: send<T: Iterator<Item = <me!() as Deref>::Target>> { m(T::Item) -> s<T> }
        }
    }
}

fn main() {}
