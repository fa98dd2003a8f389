//! One message, then the end; and looks without a receive.
//!
//! `run-pass/pipe-detect-term.rs`, `pipe-peek.rs`, and `test_peek_terminated` of
//! `core::pipes`. Its `peek` is `is_ready`; whether a pipe is closed is a separate question, `is_closed`.

use pipes::{Readiness, TryRecvError, spawn_service};
use pipes_tests::watched;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }
}

/// The service is given the server's end, its caller the client's.
#[test]
fn a_service_is_spawned() {
    watched(|| {
        for signals in [true, false] {
            let (done, is_done) = pipes::oneshot();
            let client: oneshot::client::Waiting = spawn_service::<oneshot::Protocol>(move |server| {
                done.send(server.recv().is_ok()).expect("it is waited for");
            });
            if signals {
                let () = client.signal().expect("the service waits");
            } else {
                drop(client);
            }
            assert_eq!(is_done.recv(), Ok(signals));
        }
    });
}

/// Looks three times, because a look changes nothing.
fn assert_seen(receiver: &impl Readiness, is_ready: bool, is_closed: bool) {
    for _ in 0..3 {
        assert_eq!((receiver.is_ready(), receiver.is_closed()), (is_ready, is_closed));
    }
}

#[test]
fn a_look_at_an_endpoint() {
    let (client, server) = oneshot::pipe();
    assert_seen(&server, false, false);
    client.signal().expect("the server is here");
    assert_seen(&server, true, false);
    // The guard of an arm borrows the endpoint that the arm then moves.
    assert!(match Some(server) {
        Some(server) if server.is_ready() => matches!(server.try_recv(), Ok(oneshot::Waiting::Signal)),
        _ => false,
    });
    let (client, server) = oneshot::pipe();
    drop(client);
    assert_seen(&server, false, true);
    assert!(matches!(server.try_recv(), Err(TryRecvError::Closed)));
}
