//! The sender of a bounded stream watches for the port to be dropped, at an empty or a full slot. The port
//! may wait there too.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::sync_stream;
use std::task::Context;

/// If the sender has filled the stream, each receive wakes it spuriously.
#[test]
fn thread_waits_while_messages_are_received() {
    for capacity in [1, 2] {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut chan, mut port) = sync_stream(capacity);
            assert!(chan.try_send(sent).is_ok());
            let receiver = thread::spawn(move || {
                assert!(port.try_recv().is_ok());
                drop(port);
            });
            chan.wait_closed();
            assert_only(&count);
            receiver.join().unwrap();
        });
    }
}

/// When the sender learns that the port is dropped, all messages sent are dropped.
#[test]
fn with_unread_messages() {
    for capacity in [1, 2] {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut chan, port) = sync_stream(capacity);
            assert!(chan.try_send(sent.clone()).is_ok());
            let receiver = thread::spawn(move || drop(port));
            drop(chan.try_send(sent));
            chan.wait_closed();
            assert_only(&count);
            drop(chan);
            receiver.join().unwrap();
        });
    }
}

#[test]
fn task_waits() {
    for capacity in [0, 1] {
        loom::model(move || {
            let (mut chan, mut port) = sync_stream::<()>(capacity);
            let (wakes, waker) = WakeCounter::new();
            let receiver = thread::spawn(move || {
                let (_wakes, waker) = WakeCounter::new();
                let _ = poll(&mut port, &waker);
                drop(port);
            });
            let pending = chan.poll_closed(&mut Context::from_waker(&waker)).is_pending();
            receiver.join().unwrap();
            assert_eq!(wakes.count(), usize::from(pending), "it is woken if it was told to wait");
            assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_ready());
        });
    }
}

/// Both sides wait at the same slot. Then the sender sends after all.
#[test]
fn both_wait_and_one_sends() {
    for capacity in [0, 1] {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut chan, mut port) = sync_stream(capacity);
            let (_wakes, waker) = WakeCounter::new();
            let receiver = thread::spawn(move || {
                let received = port.recv().is_ok();
                drop(port);
                received
            });
            let _ = chan.poll_closed(&mut Context::from_waker(&waker));
            let sent = chan.try_send(sent).is_ok();
            if !sent {
                drop(chan);
            }
            assert_eq!(receiver.join().unwrap(), sent);
            assert_only(&count);
        });
    }
}
