//! A protocol instantiated with the type parameter of the function around it.
//!
//! `compile-fail/issue-2766-a.rs`, Rust 0.5, in which one nested function used another's parameter. That such
//! a mistake is reported once, where the user made it, is shown by programs that must not compile. This is
//! the program that does compile.

use stream::Open;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// Sends a value there and back through an inner function that has a type parameter of its own.
fn echo<T: Send>(value: T) -> Option<T> {
    fn received<U: Send>(server: stream::server::Open<U>) -> Option<U> {
        let Open::Send(value, _) = server.recv().ok()?;
        Some(value)
    }
    let (client, server) = stream::pipe::<T>();
    let _client = client.send(value).ok()?;
    received(server)
}

#[test]
fn at_any_type() {
    assert_eq!(echo(5), Some(5));
    assert_eq!(echo(vec!["a", "b"]), Some(vec!["a", "b"]));
}
