//! Looking at a stream whose sender has left.
//!
//! `test_peek_terminated` of `core::pipes`, Rust 0.5. Its `peek` is `is_ready`; `is_closed` says whether the
//! stream is closed.

use pipes::{RecvError, stream};

#[test]
fn nothing_was_sent() {
    let (chan, mut port) = stream::<u32>();
    drop(chan);
    for _ in 0..3 {
        assert!(!port.is_ready() && port.is_closed());
    }
    assert_eq!(port.recv(), Err(RecvError));
    assert!(!port.is_ready() && port.is_closed());
}

#[test]
fn something_is_unread() {
    let (mut chan, mut port) = stream();
    chan.send(5).expect("the port is here");
    drop(chan);
    for _ in 0..3 {
        assert!(port.is_ready() && !port.is_closed());
    }
    assert_eq!(port.recv(), Ok(5), "a look changes nothing");
    for _ in 0..3 {
        assert!(!port.is_ready() && port.is_closed());
    }
}

/// Empty and closed are different.
#[test]
fn the_sender_is_there() {
    let (mut chan, mut port) = stream();
    assert!(!port.is_ready() && !port.is_closed());
    chan.send(5).expect("the port is here");
    assert_eq!(port.recv(), Ok(5));
    assert!(!port.is_ready() && !port.is_closed());
}
