//! Waits of a thread that end with a deadline, and what comes just before it.

use pipes::{Readiness, TrySendError, block_until, oneshot, shared_sync_stream};
use pipes_tests::{WakeCounter, spin_while, test_in, watched};
use std::future::Future;
use std::pin::pin;
use std::sync::mpsc::channel;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A moment that comes soon.
fn soon() -> Instant {
    Instant::now() + Duration::from_millis(1)
}

/// The message comes in the middle of a poll, and the deadline passes before that returns. (The message was
/// once overlooked.)
#[test_in(watched)]
fn a_message_that_comes_during_the_last_poll() {
    let (chan, port) = oneshot();
    let (mut receiving, mut chan, deadline) = (pin!(port.recv_async()), Some(chan), soon());
    let received = block_until(
        || Some(deadline),
        |cx| {
            let polled = receiving.as_mut().poll(cx);
            if let Some(chan) = chan.take() {
                chan.send(7).expect("the port is here");
                spin_while(|| Instant::now() <= deadline);
            }
            polled
        },
    );
    assert_eq!(received, Some(Ok(7)));
}

#[test]
fn nothing_comes() {
    let (_chan, port) = oneshot::<u32>();
    let (mut receiving, long_ago) = (pin!(port.recv_async()), Instant::now());
    assert!(block_until(|| Some(long_ago), |cx| receiving.as_mut().poll(cx)).is_none());
    assert_eq!(block_until(|| Some(long_ago), |_| Poll::Ready(7)), Some(7));
}

/// Room is granted in the middle of a wait, and the deadline passes before that looks. (The room was once
/// overlooked.)
#[test_in(watched)]
fn room_that_is_granted_before_the_last_look() {
    let (chan, mut port) = shared_sync_stream(1);
    chan.send(1).expect("there is room");
    let (mut request, deadline) = (chan.request_room(), soon());
    let (give, given) = channel();
    // The thread's own waker replaces this one.
    let waker = WakeCounter::on_drop(move || {
        assert_eq!(port.recv(), Ok(1));
        spin_while(|| Instant::now() <= deadline);
        give.send(port).expect("the test goes on");
    });
    assert!(request.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert!(request.wait(Some(deadline)));
    assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)), "the room is the request's");
    drop(given.recv().expect("the waker was replaced"));
}

/// What holds an end prints a name that says what it is.
#[test]
fn ends_and_futures_can_be_printed() {
    let (mut chan, port) = pipes::oneshot::<std::cell::Cell<u8>>();
    assert_eq!(format!("{chan:?}"), "ChanOne { closed: false }");
    assert_eq!(format!("{port:?}"), "PortOne { ready: false, closed: false }");
    assert_eq!(format!("{:?}", chan.closed()), "ClosedFuture");
    let (mut chan, _port) = pipes::stream();
    assert_eq!(format!("{:?}", chan.send_all_async(&mut vec![1, 2])), "SendAllFuture { left: 2 }");
}
