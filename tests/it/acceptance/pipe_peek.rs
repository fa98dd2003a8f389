//! Looking without receiving.
//!
//! `run-pass/pipe-peek.rs`, Rust 0.5. Its `peek` is `is_ready`; whether a pipe is closed is a separate
//! question, `is_closed`.

use pipes::TryRecvError;
use pipes_tests::watched;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }
}

#[test]
fn a_look_consumes_nothing() {
    let (client, server) = oneshot::pipe();
    assert!(!server.is_ready() && !server.is_closed());
    client.signal().expect("the server is there");
    for _ in 0..3 {
        assert!(server.is_ready() && !server.is_closed());
    }
    assert!(matches!(server.try_recv(), Ok(oneshot::Waiting::Signal)));
}

/// A closed pipe has nothing to receive. Before November 2012, `peek` returned `true` here.
#[test]
fn a_look_at_a_closed_pipe() {
    let (client, server) = oneshot::pipe();
    drop(client);
    for _ in 0..3 {
        assert!(!server.is_ready() && server.is_closed());
    }
    assert!(matches!(server.try_recv(), Err(TryRecvError::Closed)));
}

/// The sender never sends, and a look returns all the same.
#[test]
fn a_look_does_not_block() {
    watched(|| {
        let (_client, server) = oneshot::pipe();
        for _ in 0..1_000 {
            assert!(!server.is_ready() && !server.is_closed());
        }
    });
}
