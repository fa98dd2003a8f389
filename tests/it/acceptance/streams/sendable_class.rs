//! A struct of values that can be sent.
//!
//! `run-pass/sendable-class.rs`, Rust 0.5, which was only compiled. Its counterpart
//! `compile-fail/unsendable-class.rs` is among the programs that must not compile.

use pipes::stream;

#[derive(Debug, PartialEq)]
struct Foo {
    number: i32,
    letter: char,
}

#[test]
fn it_can_be_sent() {
    fn sendable<T: Send>(value: T) -> T {
        value
    }
    let (mut chan, mut port) = sendable(stream());
    chan.send(Foo { number: 42, letter: 'c' }).expect("the port is here");
    assert_eq!(port.recv(), Ok(Foo { number: 42, letter: 'c' }));
}
