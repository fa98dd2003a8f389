//! A sender of a broadcast, and receivers that look, begin to wait, or wait already.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use pipes::{broadcast, broadcast_lagging};
use std::task::Poll;

/// A receiver begins to wait while a message is sent, and then while the sender leaves.
#[test]
fn one_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        drop(port.recv().expect("it was sent"));
        assert!(port.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// Two receivers wait for two messages. The sender waits for room.
#[test]
fn two_wait() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let mut other = port.clone();
        let receiver = thread::spawn(move || {
            drop(other.recv().expect("it was sent"));
            drop(other.recv().expect("it was sent"));
        });
        chan.send(sent.clone()).expect("the ports are there");
        drop(port.recv().expect("it was sent"));
        chan.send(sent).expect("the ports are there");
        drop(port.recv().expect("it was sent"));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// A receiver polls and receives while messages are sent. A wake-up for a message that it has received
/// already does not replace the one for the next.
#[test]
fn late_wake_up() {
    loom::model(|| {
        let (chan, mut port) = broadcast_lagging(2);
        let (_, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan.send(2).expect("the port is there");
        });
        assert_eq!(port.recv(), Ok(Ok(1)));
        assert_eq!(port.recv(), Ok(Ok(2)));
        assert!(port.recv().is_err());
        sender.join().unwrap();
    });
}

/// A task is woken for each message that it has not found.
#[test]
fn a_task_waits() {
    loom::model(|| {
        let (chan, mut port) = broadcast(1);
        let (wakes, waker) = WakeCounter::new();
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan
        });
        let pending = poll(&mut port, &waker).is_pending();
        let chan = sender.join().unwrap();
        assert_eq!(wakes.count(), usize::from(pending));
        assert_eq!(port.try_recv(), Ok(1));
        assert!(poll(&mut port, &waker).is_pending());
        chan.send(2).expect("the port is there");
        assert_eq!(wakes.count(), usize::from(pending) + 1);
    });
}

/// What the sender did before a send, or before it left, is seen by a receiver that only looks.
#[test]
fn seen_by_a_look() {
    loom::model(|| {
        let (chan, mut port) = broadcast_lagging(1);
        let done = Arc::new([UnsafeCell::new(false), UnsafeCell::new(false)]);
        let other = done.clone();
        let sender = thread::spawn(move || {
            other[0].with_mut(|_| ());
            chan.send(()).expect("the port is there");
            other[1].with_mut(|_| ());
        });
        let (_, waker) = WakeCounter::new();
        if poll(&mut port, &waker).is_ready() {
            done[0].with(|_| ());
            if port.is_closed() || (port.try_recv().is_ok() && poll(&mut port, &waker).is_ready()) {
                done[1].with(|_| ());
            }
        }
        sender.join().unwrap();
    });
}

/// A message that is overwritten while it is received arrives whole, or is missed.
#[test]
fn overwritten() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast_lagging(1);
        let keeps = port.clone();
        chan.send(sent.clone()).expect("the ports are there");
        let sender = thread::spawn(move || chan.send(sent).expect("the ports are there"));
        let mut received = 0;
        while let Ok(next) = port.recv() {
            received += next.map_or_else(|missed| missed.0, |_| 1);
        }
        assert_eq!(received, 2);
        sender.join().unwrap();
        drop((keeps, port));
        assert_only(&count);
    });
}

/// The last two receivers of a message receive it at the same time. One gets the value, or both get clones.
#[test]
fn two_are_the_last() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let mut other = port.clone();
        chan.send(sent).expect("the ports are there");
        let receiver = thread::spawn(move || drop(other.try_recv().expect("it was sent")));
        drop(port.try_recv().expect("it was sent"));
        receiver.join().unwrap();
        assert_only(&count);
        assert_eq!(poll(&mut port, std::task::Waker::noop()), Poll::Pending);
        drop(chan);
    });
}
