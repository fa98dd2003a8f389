//! A receiver that waits long before anything is sent.
//!
//! `run-pass/pipe-sleep.rs`, Rust 0.5. The original slept for half a second. Here the test waits until the
//! system says that the receiver sleeps, so the receiver is a thread of the test; `spawn_service` runs one of
//! its own.

use super::{Sleeper, serve};
use pipes::spawn_service;
use pipes_tests::{Bell, poll_future, watched};
use std::task::Poll;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }
}

#[test]
fn a_sleeping_receiver_is_woken() {
    watched(|| {
        let (client, service): (oneshot::client::Waiting, Sleeper<_>) =
            serve::<oneshot::Protocol, _>(|server| server.recv());
        service.fall_asleep();
        let () = client.signal().expect("the service waits");
        // The message has no payload, and the service ends after it.
        assert!(matches!(service.join().expect("the service ends"), Ok(oneshot::Waiting::Signal)));
    });
}

/// The service is given the server's end, its caller the client's.
#[test]
fn a_service_is_spawned() {
    watched(|| {
        let (done, is_done) = pipes::oneshot();
        let client: oneshot::client::Waiting = spawn_service::<oneshot::Protocol>(move |server| {
            let signalled = matches!(server.recv(), Ok(oneshot::Waiting::Signal));
            done.send(signalled).expect("it is waited for");
        });
        let () = client.signal().expect("the service waits");
        assert_eq!(is_done.recv(), Ok(true));
    });
}

/// A task that waits is not polled until there is something to receive.
#[test]
fn a_waiting_task_is_left_alone() {
    let (bell, waker) = Bell::new();
    let (client, server) = oneshot::pipe();
    let mut receiving = server.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    assert_eq!(bell.rings(), 0);
    client.signal().expect("the server waits");
    assert_eq!(bell.rings(), 1);
    assert!(matches!(poll_future(&mut receiving, &waker), Poll::Ready(Ok(oneshot::Waiting::Signal))));
}
