//! Two senders send with capacity 0. Each message is received once, or comes back to its sender.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::shared_sync_stream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1);

#[test]
fn threads() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(0);
        let other = chan.clone();
        let first = thread::spawn(move || assert!(chan.send(1).is_ok()));
        let second = thread::spawn(move || assert!(other.send(2).is_ok()));
        assert_eq!(port.recv().unwrap() + port.recv().unwrap(), 3);
        assert!(port.recv().is_err());
        first.join().unwrap();
        second.join().unwrap();
    });
}

/// The receiver promises to take one of two offers while their senders give up.
#[test]
fn a_promise_and_two_that_give_up() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(0);
        let other = (chan.clone(), sent.clone());
        let first = thread::spawn(move || chan.send_timeout(sent, LONG).is_ok());
        let second = thread::spawn(move || other.0.send_timeout(other.1, LONG).is_ok());
        let is_promised = port.is_ready();
        let received = port.try_recv().is_ok();
        assert!(received || !is_promised);
        let sent = usize::from(first.join().unwrap()) + usize::from(second.join().unwrap());
        assert_eq!(sent, usize::from(received) + port.close().len());
        assert_only(&count);
    });
}

/// One of two senders that a task waits for leaves, and the other one sends.
#[test]
fn one_leaves_and_one_sends() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(0);
        let other = chan.clone();
        let leaving = thread::spawn(move || drop(chan));
        let sending = thread::spawn(move || other.try_send(1).is_ok());
        let (_wakes, waker) = WakeCounter::new();
        let _ = poll(&mut port, &waker);
        let received = port.recv().is_ok();
        assert_eq!(sending.join().unwrap(), received);
        leaving.join().unwrap();
        assert!(port.recv().is_err());
    });
}
