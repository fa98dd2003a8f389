//! A future that was polled is dropped while the other side sends or closes.
//!
//! In this race, other libraries free the slot while the sender still uses it.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::oneshot;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::Context;

#[test]
fn poll_then_drop_against_send() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || drop(chan.send(sent)));
        {
            let (_wakes, waker) = WakeCounter::new();
            let future = pin!(port.into_future());
            let _ = future.poll(&mut Context::from_waker(&waker));
        }
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn poll_then_drop_against_close() {
    loom::model(|| {
        let (chan, port) = oneshot::<()>();
        let sender = thread::spawn(move || drop(chan));
        {
            let (_wakes, waker) = WakeCounter::new();
            let future = pin!(port.into_future());
            let _ = future.poll(&mut Context::from_waker(&waker));
        }
        sender.join().unwrap();
    });
}

#[test]
fn poll_then_into_inner_then_block() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (_wakes, waker) = WakeCounter::new();
        let _ = poll(&mut port, &waker);
        drop(port.recv().expect("something was sent"));
        sender.join().unwrap();
        assert_only(&count);
    });
}
