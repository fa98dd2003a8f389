//! Room that an arm has reserved, and what becomes of it: sent into, or given back to the other senders.

use crate::permits::assert_free;
use futures::Sink;
use pipes::{SharedChan, oneshot, select, select_async, shared_sync_stream, stream};
use pipes_tests::table::budget::spend_all;
use pipes_tests::{WakeCounter, begun, caught, poll_future, test_in, watched};
use std::future::pending;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Which arm of a task runs that was granted room while a message came: if the other one, room goes back.
#[test_in(watched)]
fn another_arm_is_chosen() {
    let mut chosen = [0; 2];
    for number in 0..100 {
        let ((mut chan, mut port), (word, mut words)) = (shared_sync_stream(1), oneshot());
        chan.send(0).expect("the port is here");
        let (_wakes, waker) = WakeCounter::new();
        {
            let mut waiting = Box::pin(async {
                select_async! {
                    sent = chan.send(number) => sent.map(|()| 0).expect("the port is here"),
                    word = words => {
                        // Before the arm runs, it has gone back.
                        chan.try_send(number).expect("there is room again");
                        word.expect("it was sent")
                    }
                }
            });
            assert!(poll_future(&mut waiting, &waker).is_pending());
            assert_eq!(port.recv(), Ok(0));
            word.send(1).expect("it is waited for");
            let Poll::Ready(arm) = poll_future(&mut waiting, &waker) else { panic!("both are ready") };
            chosen[arm] += 1;
        }
        assert_eq!(port.recv(), Ok(number));
        assert_free(&chan, 1);
    }
    assert!(chosen.iter().all(|count| *count >= 20), "{chosen:?}");
}

/// A task is dropped while it waits in the line, or after it was granted room.
#[test_in(watched)]
fn a_task_is_dropped() {
    for granted in [false, true] {
        let (mut chan, mut port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        let (wakes, waker) = WakeCounter::new();
        let (next, next_waker) = WakeCounter::new();
        let other = chan.clone();
        let mut waiting = Box::pin(async {
            select_async! { sent = chan.send(2) => sent }
        });
        let mut sending = other.send_async(3);
        assert!(poll_future(&mut waiting, &waker).is_pending());
        assert!(poll_future(&mut sending, &next_waker).is_pending());
        if granted {
            assert_eq!(port.recv(), Ok(1));
        }
        assert_eq!((wakes.count(), next.count()), (usize::from(granted), 0));
        drop(waiting);
        if !granted {
            assert_eq!(port.recv(), Ok(1));
        }
        assert_eq!((wakes.count(), next.count()), (usize::from(granted), 1));
        assert_eq!(poll_future(&mut sending, &next_waker), Poll::Ready(Ok(())));
        assert_eq!((port.recv(), wakes.wakers()), (Ok(3), 1));
        assert_free(&chan, 1);
    }
}

/// A task has to give way when it was granted room, and its limit passes in the same poll: the arm runs, and
/// uses the room once.
#[test_in(watched)]
fn granted_when_the_limit_passes() {
    let ((mut chan, mut port), (timer, timed)) = (shared_sync_stream(1), oneshot());
    chan.send(1).expect("the port is here");
    let mut waiting = begun(
        Box::pin(async {
            select_async! {
                sent = chan.send(2) => sent.is_ok(),
                timeout(timed) => false,
            }
        }),
        Waker::noop(),
    );
    assert_eq!(port.recv(), Ok(1));
    timer.send(()).expect("it is waited for");
    spend_all(Waker::noop());
    assert_eq!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(true));
    drop(waiting);
    assert_eq!(port.recv(), Ok(2));
    assert_free(&chan, 1);
}

/// The value leaves the arm before there is one, in each way: the room is free again.
#[test_in(watched)]
fn the_value_is_not_made() {
    fn questioned(mut chan: &mut SharedChan<u64>) -> Option<u64> {
        select! { sent = chan.send(None?) => sent.map(|()| 1).ok() }
    }
    let ((mut chan, _port), (mut full, _full)) = (shared_sync_stream(1), shared_sync_stream(1));
    full.send(0).expect("the port is here");
    assert_eq!(questioned(&mut chan), None);
    assert_free(&chan, 1);
    for number in 0..3 {
        select! {
            sent = chan.send(match number {
                0 => continue,
                1 => break,
                number => number,
            }) => panic!("no number comes here: {sent:?}"),
            sent = full.send(1) => panic!("there is no room: {sent:?}"),
        }
    }
    assert_free(&chan, 1);
    let value: fn() -> u64 = || std::panic::resume_unwind(Box::new(5));
    let panic = caught(|| {
        select! { sent = chan.send(value()) => sent }
    });
    assert_eq!(panic.expect("it is not swallowed").downcast_ref(), Some(&5));
    assert_free(&chan, 1);
    let task = begun(
        Box::pin(async {
            select_async! { sent = chan.send(pending().await) => sent }
        }),
        Waker::noop(),
    );
    drop(task);
    assert_free(&chan, 1);
}

/// The waker of the next sender panics when it gets the room of an arm that was not chosen: the receiver that
/// was chosen keeps its message, and the next sender its room.
#[test_in(watched)]
fn a_waker_that_panics() {
    let mut panics = 0;
    for number in 0..60 {
        let ((mut chan, mut port), (mut word, mut words)) = (shared_sync_stream(1), stream());
        chan.send(0).expect("the port is here");
        let (_next, next_waker) = WakeCounter::on_wake(|| std::panic::resume_unwind(Box::new(())));
        let other = chan.clone();
        let mut waiting = Box::pin(async {
            select_async! {
                sent = chan.send(number) => sent.map(|()| "sent").ok(),
                word = words => word.ok(),
            }
        });
        let mut sending = other.send_async(100);
        assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
        assert!(poll_future(&mut sending, &next_waker).is_pending());
        assert_eq!(port.recv(), Ok(0));
        word.send("word").expect("it is waited for");
        if caught(|| poll_future(&mut waiting, Waker::noop())).is_some() {
            panics += 1;
            drop(waiting);
            assert_eq!(words.try_recv(), Ok("word"));
        } else {
            drop(waiting);
            assert!(poll_future(&mut sending, Waker::noop()).is_pending(), "the room is used");
            assert_eq!(port.recv(), Ok(number));
        }
        assert_eq!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Ok(())));
        assert_eq!(port.recv(), Ok(100));
        assert_free(&chan, 1);
    }
    assert!(panics >= 10, "{panics}");
}

/// What a chan has reserved as a sink is not used by an arm, as it is not by `send`, and is there afterwards.
#[test_in(watched)]
fn beside_a_sink() {
    let (mut chan, mut port) = shared_sync_stream(2);
    let cx = &mut Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut chan).poll_ready(cx).is_ready());
    assert_free(&chan, 1);
    assert_eq!(select! { sent = chan.send(1) => sent }, Ok(()));
    assert!(select! { _ = chan.send(2) => false, default => true }, "the rest is reserved");
    assert_free(&chan, 0);
    assert_eq!(Pin::new(&mut chan).start_send(3), Ok(()));
    assert_eq!((port.recv(), port.recv()), (Ok(1), Ok(3)));
    // A sink in the line keeps its place there.
    chan.send_all(&mut vec![4, 5]).expect("the port is here");
    assert!(Pin::new(&mut chan).poll_ready(cx).is_pending());
    assert!(select! { _ = chan.send(6) => false, timeout(Duration::ZERO) => true });
    assert_eq!(port.recv(), Ok(4));
    assert!(select! { _ = chan.send(6) => false, default => true }, "the room is the sink's");
    assert!(Pin::new(&mut chan).poll_ready(cx).is_ready());
    assert_eq!(Pin::new(&mut chan).start_send(7), Ok(()));
    assert_eq!((port.recv(), port.recv()), (Ok(5), Ok(7)));
    assert_free(&chan, 2);
}
