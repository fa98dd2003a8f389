//! A message without a payload.
//!
//! `run-pass/task-comm-chan-nil.rs`, Rust 0.5.

use pipes::{RecvError, stream};

#[test]
fn a_unit_arrives() {
    let (mut chan, mut port) = stream();
    chan.send(()).expect("the port is here");
    drop(chan);
    assert_eq!(port.recv(), Ok(()));
    assert_eq!(port.recv(), Err(RecvError), "there was one");
}
