//! Type arguments whose meaning depends on where they are written, substituted into payloads that are written
//! elsewhere.

use std::fmt::{Debug, Display};

macro_rules! two {
    ($ty:ty) => {
        [$ty; 2]
    };
}

pipes::proto! {
    /// Parameters of the same name with different bounds.
    bounds {
        copied: send<T: Copy> { one(T) -> shown<String>, end -> ! }
        shown: recv<T: Display + Debug> { other(T) -> copied<u8> }
    }

    /// A type behind a reference may need parentheses.
    sums {
        first: send<T: ?Sized + 'static> { borrowed(&'static T) -> first<dyn Display + Send>, end -> ! }
    }

    /// Lifetimes that a payload binds itself, with the name of a lifetime that is passed.
    bound_lifetimes {
        outer: send<'a> { text(&'a str) -> inner<'a> }
        inner: recv<'b> { text(for<'a> fn(&'a str) -> &'a str, &'b str) -> outer<'b> }
    }

    /// Parameters that are mentioned only inside a macro call.
    by_macro<T> {
        outer: send { own(two!(T)) -> inner<two!(T)> }
        inner: recv<U> { passed(two!(U)) -> outer }
    }

    /// Constant expressions, in braces as the language requires.
    constants<T> {
        outer: send { own(T) -> inner<{ 2 * 2 }> }
        inner: recv<const N: usize> { passed([T; N]) -> outer }
    }

    /// Parameters with outlives bounds.
    outlives<'a, 'b: 'a, T: 'a> {
        short: send { short(&'a T) -> long }
        long: recv { long(&'b str) -> both<'static, &'a T> }
        both: send<'c: 'static, U> { both(U, &'c str) -> ! }
    }
}

#[test]
fn bounds_and_lifetimes() {
    drop((bounds::pipe::<char>(), bound_lifetimes::pipe(), outlives::pipe::<u8>(), constants::pipe::<u8>()));
    let (client, server) = sums::pipe::<str>();
    let client = client.borrowed("text").unwrap();
    drop(client.borrowed(&5).unwrap());
    take!(server, sums::First::Borrowed("text", server));
    take!(server, sums::First::Borrowed(shown, _));
    assert_eq!(shown.to_string(), "5");
}

#[test]
fn parameters_that_a_macro_mentions() {
    let (client, server) = by_macro::pipe();
    let client = client.own([1, 2]).unwrap();
    take!(server, by_macro::Outer::Own([1, 2], server));
    let _server = server.passed([[1, 2], [3, 4]]).unwrap();
    take!(client, by_macro::Inner::Passed([[1, 2], [3, 4]], _));
}
