//! What the documentation of ports promises holds for shared ports as well, and for ports that were drained.

use crate::shared_ports_attacked::AtDrop;
use futures::FutureExt;
use futures::stream::{FusedStream, StreamExt};
use pipes::{Port, Readiness, SharedChan, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Bell, poll, poll_future};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Instant;

/// Drops the receivers, after a look by one of them, while three messages are unread. Returns how many sends
/// succeed in the destructors of these messages.
fn sends_while_messages_are_dropped<P>(
    (chan, port): (SharedChan<AtDrop>, Port<AtDrop>),
    share: impl FnOnce(Port<AtDrop>) -> P,
) -> usize {
    let succeeded = Arc::new(AtomicUsize::new(0));
    for _ in 0..4 {
        let (inside, succeeded) = (chan.clone(), succeeded.clone());
        let message = AtDrop::new(move || {
            if inside.send(AtDrop::new(|| ())).is_ok() {
                succeeded.fetch_add(1, Ordering::SeqCst);
            }
        });
        assert!(chan.send(message).is_ok());
    }
    let port = share(port);
    succeeded.store(0, Ordering::SeqCst);
    drop(port);
    succeeded.load(Ordering::SeqCst)
}

/// A stream with many senders refuses sends before its unread values are dropped (see `Port`). A destructor
/// may rely on that: it may wait for a thread that sends until a send fails.
#[test]
fn sends_fail_before_unread_messages_are_dropped() {
    let alone = |mut port: Port<AtDrop>| {
        drop(port.recv());
        port
    };
    assert_eq!(sends_while_messages_are_dropped(shared_stream(), alone), 0);
    let in_the_tray = |port: Port<AtDrop>| {
        let mut port = port.into_shared();
        drop(port.recv());
        port
    };
    assert_eq!(sends_while_messages_are_dropped(shared_sync_stream(9), in_the_tray), 0);
    assert_eq!(sends_while_messages_are_dropped(shared_stream(), in_the_tray), 0);
}

/// A port that is drained is not over: as a stream it has still to return its end.
#[test]
fn drain_does_not_take_the_end() {
    let (chan, port) = stream();
    let (bounded, bounded_port) = sync_stream(2);
    let (shared, shared_port) = shared_stream();
    let (limited, limited_port) = shared_sync_stream(2);
    drop((chan, bounded, shared, limited));
    let ports: [Port<u8>; 4] = [port, bounded_port, shared_port, limited_port];
    for mut port in ports {
        assert_eq!(port.try_iter().next(), None);
        assert!(!port.is_terminated(), "try_iter does not take the end");
        assert_eq!(port.drain(), []);
        assert!(!port.is_terminated(), "the stream has not returned its end");
        assert_eq!(port.next().now_or_never(), Some(None));
    }
}

/// A task that looks with `recv_async().now_or_never()`, and then waits as a stream, sleeps until a message
/// comes.
#[test]
fn a_task_that_looks_and_waits_sleeps() {
    let (mut chan, port) = stream::<u8>();
    let mut port = port.into_shared();
    let (bell, waker) = Bell::new();
    let mut task = std::future::poll_fn(|cx| match port.recv_async().now_or_never() {
        Some(message) => Poll::Ready(message.ok()),
        None => port.poll_next_unpin(cx),
    });
    for _ in 0..3 {
        assert!(poll_future(&mut task, &waker).is_pending());
        assert_eq!(bell.rings(), 0, "nothing has come");
    }
    chan.send(1).expect("the port is here");
    assert_eq!(bell.rings(), 1);
    assert_eq!(poll_future(&mut task, &waker), Poll::Ready(Some(1)));
}

/// A wait whose deadline has passed is only a look, and a task that waits goes on waiting.
#[test]
fn a_wait_without_time_displaces_no_task() {
    let (mut chan, mut port) = stream();
    let (bell, waker) = Bell::new();
    assert!(poll(&mut port, &waker).is_pending());
    assert!(!port.wait(Some(Instant::now())));
    assert_eq!((bell.rings(), bell.wakers()), (0, 2), "it waits as before");
    chan.send(1).expect("the port is here");
    assert_eq!(bell.rings(), 1);
}
