//! A number, on one thread.
//!
//! `run-pass/trivial-message.rs`, Rust 0.5.

use pipes::stream;
use pipes_tests::watched;

#[test]
fn forty_two() {
    watched(|| {
        let (mut chan, mut port) = stream();
        chan.send(42).expect("the port is here");
        assert_eq!(port.recv(), Ok(42));
    });
}
