//! The port of a bounded stream is dropped while the sender sends. A message that was not sent comes back,
//! and one that was sent is dropped at once.

use crate::support::{assert_only, payload};
use loom::cell::UnsafeCell;
use loom::future::block_on;
use loom::sync::Arc;
use loom::thread;
use pipes::sync_stream;

#[test]
fn thread_waits_for_room() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(1);
        let receiver = thread::spawn(move || drop(port));
        let mut closed = false;
        for _ in 0..3 {
            let result = chan.send(sent.clone());
            assert!(!closed || result.is_err(), "once closed, always closed");
            closed = result.is_err();
        }
        assert!(closed && chan.is_closed(), "there is room for one");
        receiver.join().unwrap();
        drop(sent);
        assert_only(&count);
    });
}

#[test]
fn task_waits_for_room() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        for _ in 0..2 {
            assert!(chan.try_send(sent.clone()).is_ok());
        }
        let receiver = thread::spawn(move || {
            drop(port.try_recv());
            drop(port);
        });
        let first = block_on(chan.send_async(sent.clone())).is_ok();
        let second = block_on(chan.send_async(sent)).is_ok();
        assert!(first || !second);
        receiver.join().unwrap();
        drop(chan);
        assert_only(&count);
    });
}

/// Both ends are dropped at once, with unread messages in the stream.
#[test]
fn both_are_dropped() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(2);
        assert!(chan.try_send(sent.clone()).is_ok());
        let receiver = thread::spawn(move || drop(port));
        drop(chan.try_send(sent));
        drop(chan);
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// A sender that learns that the receiver has left sees what the receiver did before.
#[test]
fn what_came_before_the_close() {
    for full in [false, true] {
        loom::model(move || {
            let (mut chan, port) = sync_stream(2);
            if full {
                assert!(chan.try_send(()).is_ok() && chan.try_send(()).is_ok());
            }
            let cell = Arc::new(UnsafeCell::new(0));
            let written = cell.clone();
            let receiver = thread::spawn(move || {
                written.with_mut(std::hint::black_box);
                drop(port);
            });
            if chan.send(()).is_err() {
                cell.with(std::hint::black_box);
            }
            receiver.join().unwrap();
        });
    }
}
