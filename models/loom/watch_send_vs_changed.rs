//! The sender of a watch, and receivers that look, begin to wait, or wait already.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use pipes::__private::number_this_thread;
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

/// The same for a receiver that is about to wait where another one waits already.
#[test]
fn seen_beside_another_one() {
    loom::model(|| {
        let (chan, mut port) = watch(());
        let mut other = port.clone();
        assert!(poll(&mut other, std::task::Waker::noop()).is_pending());
        let done = Arc::new(UnsafeCell::new(false));
        let sent = done.clone();
        let sender = thread::spawn(move || {
            sent.with_mut(|_| ());
            chan.send(()).expect("the ports are there");
        });
        if poll(&mut port, std::task::Waker::noop()).is_ready() {
            done.with(|_| ());
        }
        sender.join().unwrap();
    });
}

/// Tasks that wait in different shards: one waits already, the other one begins to.
#[test]
fn shards() {
    loom::model(|| {
        let (chan, mut port) = watch(0);
        let mut other = port.clone();
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let receiver = thread::spawn(move || {
            number_this_thread(1);
            let (wakes, waker) = WakeCounter::new();
            let pending = poll(&mut other, &waker).is_pending();
            (other, wakes, pending)
        });
        chan.send(1).expect("the ports are there");
        assert_eq!(wakes.count(), 1);
        let (other, wakes, pending) = receiver.join().unwrap();
        assert_eq!(wakes.count(), usize::from(pending));
        assert_eq!(*other.borrow(), 1);
    });
}

/// A task waits in the shard of one thread, and then in that of another one, while the sender wakes the
/// first.
#[test]
fn a_task_that_moves() {
    loom::model(|| {
        let (chan, mut port) = watch(0);
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan
        });
        number_this_thread(1);
        let has_moved = *port.borrow_and_update() == 1;
        assert!(poll(&mut port, &waker).is_pending() || !has_moved);
        let chan = sender.join().unwrap();
        assert_eq!(wakes.count(), 1);
        let _ = port.borrow_and_update();
        chan.send(2).expect("the port is there");
        assert_eq!(wakes.count(), 1 + usize::from(has_moved));
    });
}
