//! A box that moves.
//!
//! `run-pass/unique-send.rs`, Rust 0.5.

use pipes::stream;

#[test]
fn its_value_is_intact() {
    let (mut chan, mut port) = stream();
    chan.send(Box::new(100)).expect("the port is here");
    assert_eq!(port.recv(), Ok(Box::new(100)));
}
