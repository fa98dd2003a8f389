//! A sender that watches is polled spuriously while the receiver leaves. No matter how the sender itself
//! leaves then, it must not free the pipe while the receiver is still taking the sender's waiter out of its
//! cell.

use crate::support::pingpong;
use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{Closing, oneshot};
use std::task::Context;

#[test]
fn then_it_drops_the_end() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let (_wakes, waker) = WakeCounter::new();
        let mut cx = Context::from_waker(&waker);
        assert!(chan.poll_closed(&mut cx).is_pending());
        let receiver = thread::spawn(move || drop(port));
        if chan.poll_closed(&mut cx).is_pending() {
            chan.wait_closed();
        }
        drop(chan);
        receiver.join().unwrap();
    });
}

#[test]
fn then_it_sends_the_last_message() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = oneshot();
        let (_wakes, waker) = WakeCounter::new();
        let mut cx = Context::from_waker(&waker);
        assert!(chan.poll_closed(&mut cx).is_pending());
        let receiver = thread::spawn(move || drop(port));
        if chan.poll_closed(&mut cx).is_ready() {
            drop(chan.send(sent).expect_err("the other side has left").into_payload());
        } else {
            drop(chan.send(sent));
        }
        receiver.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn then_it_sends_a_message() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut client, server) = pingpong::pipe();
        let (_wakes, waker) = WakeCounter::new();
        let mut cx = Context::from_waker(&waker);
        assert!(client.poll_closed(&mut cx).is_pending());
        let receiver = thread::spawn(move || drop(server));
        if client.poll_closed(&mut cx).is_ready() {
            drop(client.ping(sent).expect_err("the other side has left").into_payload());
        } else {
            drop(client.ping(sent));
        }
        receiver.join().unwrap();
        assert_only(&count);
    });
}
