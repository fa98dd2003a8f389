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

fn same(text: &str) -> &str {
    text
}

#[test]
fn bounds_of_one_name() {
    let (client, server) = bounds::pipe();
    let client = client.one('x').expect("the server is here");
    let Ok(bounds::Copied::One('x', server)) = server.try_recv() else { panic!("something else was sent") };
    let _server = server.other(String::from("text")).expect("the client is here");
    let Ok(bounds::Shown::Other(text, client)) = client.try_recv() else { panic!("something else was sent") };
    assert_eq!(text, "text");
    assert!(matches!(bounds::AnyClient::from(client), bounds::AnyClient::Copied(_)));
}

#[test]
fn sums_behind_references() {
    let (client, server) = sums::pipe::<str>();
    let client = client.borrowed("text").expect("the server is here");
    drop(client.borrowed(&5).expect("the server is here"));
    let Ok(sums::First::Borrowed("text", server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    let Ok(sums::First::Borrowed(shown, _)) = server.try_recv() else { panic!("something else was sent") };
    assert_eq!(shown.to_string(), "5");
}

#[test]
fn lifetimes_that_a_payload_binds() {
    let text = String::from("text");
    let (client, server) = bound_lifetimes::pipe();
    let client = client.text(&text).expect("the server is here");
    let Ok(bound_lifetimes::Outer::Text(text, server)) = server.try_recv() else {
        panic!("something else was sent");
    };
    let _server = server.text(same, text).expect("the client is here");
    let Ok(bound_lifetimes::Inner::Text(same, text, _)) = client.try_recv() else {
        panic!("something else was sent");
    };
    assert_eq!(same(text), "text");
}

#[test]
fn parameters_that_a_macro_mentions() {
    let (client, server) = by_macro::pipe();
    let client = client.own([1, 2]).expect("the server is here");
    let Ok(by_macro::Outer::Own([1, 2], server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    let _server = server.passed([[1, 2], [3, 4]]).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(by_macro::Inner::Passed([[1, 2], [3, 4]], _))));
}

#[test]
fn constants_that_are_expressions() {
    let (client, server) = constants::pipe();
    let client = client.own('a').expect("the server is here");
    let Ok(constants::Outer::Own('a', server)) = server.try_recv() else { panic!("something else was sent") };
    let _server = server.passed(['a', 'b', 'c', 'd']).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(constants::Inner::Passed(['a', 'b', 'c', 'd'], _))));
}
