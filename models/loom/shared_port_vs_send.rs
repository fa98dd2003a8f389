//! Several receivers share a port. Each message goes to one of them. A receiver that is woken but does not
//! receive wakes the next.

use crate::support::{WakeCounter, assert_only, payload};
use futures_core::Stream;
use loom::thread;
use pipes::stream;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::Context;

#[test]
fn two_wait_for_two() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mine = port.into_shared();
        let other = mine.clone();
        let receiver = thread::spawn(move || drop(other.recv().expect("two were sent")));
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent).expect("the port is there");
        drop(mine.recv().expect("two were sent"));
        receiver.join().unwrap();
        assert!(mine.try_recv().is_err());
        drop(chan);
        assert_only(&count);
    });
}

/// The first receiver in the queue stops waiting, before or after it is woken.
#[test]
fn a_wake_up_is_passed_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let first = port.into_shared();
        let second = first.clone();
        let (_, waker) = WakeCounter::new();
        let mut waiting = Box::pin(first.recv_async());
        assert!(waiting.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (wakes, waker) = WakeCounter::new();
        let mut next = pin!(second.recv_async());
        let pending = next.as_mut().poll(&mut Context::from_waker(&waker)).is_pending();
        drop(waiting);
        sender.join().unwrap();
        assert!(!pending || wakes.count() >= 1, "a message is left, and no receiver was woken");
        if pending {
            assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
        }
        assert_only(&count);
    });
}

/// A receiver that waits as a stream is dropped, before or after it is woken.
#[test]
fn a_stream_passes_its_wake_up_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut first = port.into_shared();
        let second = first.clone();
        let (_, waker) = WakeCounter::new();
        assert!(Pin::new(&mut first).poll_next(&mut Context::from_waker(&waker)).is_pending());
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (wakes, waker) = WakeCounter::new();
        let mut next = pin!(second.recv_async());
        let pending = next.as_mut().poll(&mut Context::from_waker(&waker)).is_pending();
        drop(first);
        sender.join().unwrap();
        assert!(!pending || wakes.count() >= 1, "a message is left, and no receiver was woken");
        if pending {
            assert!(next.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
        }
        assert_only(&count);
    });
}

/// The stream ends while two receivers wait as streams, the first of which is dropped.
#[test]
fn a_stream_passes_the_end_on() {
    loom::model(|| {
        let (chan, port) = stream::<()>();
        let mut first = port.into_shared();
        let mut second = first.clone();
        let (_, waker) = WakeCounter::new();
        assert!(Pin::new(&mut first).poll_next(&mut Context::from_waker(&waker)).is_pending());
        let sender = thread::spawn(move || drop(chan));
        let (wakes, waker) = WakeCounter::new();
        let mut cx = Context::from_waker(&waker);
        let pending = Pin::new(&mut second).poll_next(&mut cx).is_pending();
        drop(first);
        sender.join().unwrap();
        assert!(!pending || wakes.count() >= 1, "it was not woken for the end");
        assert!(Pin::new(&mut second).poll_next(&mut cx).is_ready());
    });
}
