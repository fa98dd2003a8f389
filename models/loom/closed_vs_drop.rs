//! A sender watches while its receiver leaves. It is woken, and by then all messages that were sent are
//! dropped.

use crate::support::bank;
use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{Closing, oneshot};
use std::task::Context;

#[test]
fn a_thread() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let receiver = thread::spawn(move || drop(port));
        chan.wait_closed();
        assert!(chan.is_closed());
        drop(chan);
        receiver.join().unwrap();
    });
}

#[test]
fn a_task() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let (wakes, waker) = WakeCounter::new();
        let receiver = thread::spawn(move || drop(port));
        let pending = chan.poll_closed(&mut Context::from_waker(&waker)).is_pending();
        receiver.join().unwrap();
        assert_eq!(wakes.count(), usize::from(pending), "it is woken if it was told to wait");
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_ready());
    });
}

#[test]
fn with_an_unread_message() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = bank::pipe();
        let mut client = client.deposit(sent).expect("the bank is there");
        let receiver = thread::spawn(move || drop(server));
        client.wait_closed();
        assert_only(&count);
        drop(client);
        receiver.join().unwrap();
    });
}
