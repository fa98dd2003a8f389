//! The receiver is polled with one waker and then with another while several senders send. The last waker
//! must be called.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::shared_stream;

#[test]
fn last_waker_is_called() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (_first, waker) = WakeCounter::new();
        let _ = poll(&mut port, &waker);
        let (second, waker) = WakeCounter::new();
        let pending = poll(&mut port, &waker).is_pending();
        sender.join().unwrap();
        assert!(!pending || second.count() > 0, "the waker of the last poll was forgotten");
        drop(port.try_recv().expect("something was sent"));
        assert_only(&count);
    });
}

/// The receiver is polled spuriously, takes the message, and waits for the next one before the first sender
/// has woken the waiter that it found.
#[test]
fn registered_anew_while_the_first_waiter_is_woken() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let (other, again) = (chan.clone(), sent.clone());
        let first = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let early = usize::from(port.try_recv().is_ok());
        let (wakes, waker) = WakeCounter::new();
        let pending = poll(&mut port, &waker).is_pending();
        other.send(again).expect("the port is there");
        drop(other);
        first.join().unwrap();
        assert!(!pending || wakes.count() > 0, "the task was not woken");
        assert_eq!(early + port.try_iter().count(), 2);
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// The receiver gives up waiting. It has either received the message or can still receive it.
#[test]
fn a_timeout() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let first = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let early = usize::from(port.recv_timeout(std::time::Duration::from_secs(1)).is_ok());
        assert_eq!(early + port.iter().count(), 1);
        first.join().unwrap();
        assert_only(&count);
    });
}

/// A thread waits for the next message. If the first sender wakes it spuriously, the second one must still
/// wake it.
#[test]
fn woken_for_nothing() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let (other, again) = (chan.clone(), sent.clone());
        let first = thread::spawn(move || {
            chan.send(sent).expect("the port is there");
            chan
        });
        if port.try_recv().is_ok() {
            let second = thread::spawn(move || {
                other.send(again).expect("the port is there");
                other
            });
            assert!(port.recv().is_ok());
            drop(second.join().unwrap());
        } else {
            drop((other, again));
        }
        drop(first.join().unwrap());
        drop(port);
        assert_only(&count);
    });
}
