//! The sender of a watch, and receivers that look, begin to wait, or wait already.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use pipes::watch;

/// A receiver waits for changes until the sender leaves. It sees the last value.
#[test]
fn the_last_value_is_seen() {
    loom::model(|| {
        let (chan, mut port) = watch(0);
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan.send(2).expect("the port is there");
        });
        let mut last = 0;
        while port.changed().is_ok() {
            let now = *port.borrow();
            assert!(now >= last);
            last = now;
        }
        assert_eq!((last, *port.borrow()), (2, 2));
        sender.join().unwrap();
    });
}

/// Two receivers wait for one change.
#[test]
fn two_wait() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = watch(None);
        let mut other = port.clone();
        let receiver = thread::spawn(move || {
            other.changed().expect("it was sent");
            assert!(other.borrow().is_some());
        });
        chan.send(Some(sent)).expect("the ports are there");
        port.changed().expect("it was sent");
        assert!(port.borrow_and_update().is_some());
        receiver.join().unwrap();
        drop((chan, port));
        assert_only(&count);
    });
}

/// A task is woken for a change that it has not found.
#[test]
fn a_task_waits() {
    loom::model(|| {
        let (chan, mut port) = watch(0);
        let (wakes, waker) = WakeCounter::new();
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan
        });
        let pending = poll(&mut port, &waker).is_pending();
        let chan = sender.join().unwrap();
        assert_eq!(wakes.count(), usize::from(pending));
        assert_eq!(*port.borrow_and_update(), 1);
        assert!(poll(&mut port, &waker).is_pending());
        chan.send(2).expect("the port is there");
        assert_eq!(wakes.count(), usize::from(pending) + 1);
    });
}

/// What the sender did before a change is seen by a receiver that only looks.
#[test]
fn seen_by_a_look() {
    loom::model(|| {
        let (chan, mut port) = watch(());
        let done = Arc::new(UnsafeCell::new(false));
        let other = done.clone();
        let sender = thread::spawn(move || {
            other.with_mut(|_| ());
            chan.send(()).expect("the port is there");
        });
        if poll(&mut port, std::task::Waker::noop()).is_ready() {
            done.with(|_| ());
        }
        sender.join().unwrap();
    });
}
