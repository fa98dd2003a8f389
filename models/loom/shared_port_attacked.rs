//! Shared ports in situations where several things come together: permits and the buffer, the last receivers
//! leaving at once, and a sender that meets one of two receivers.

use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{Closing, shared_stream, shared_sync_stream, sync_stream};
use std::future::Future;
use std::task::Context;

/// The room of a message in the buffer becomes free when the message is claimed, and the sender that waits
/// gets it.
#[test]
fn a_claim_makes_room() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(2);
        let port = port.into_shared();
        chan.try_send(sent.clone()).expect("there is room");
        chan.try_send(sent.clone()).expect("there is room");
        let sends = thread::spawn(move || chan.send(sent).is_ok());
        let other = port.clone();
        drop(port.recv().expect("the first"));
        drop(other.recv().expect("the second, from the buffer"));
        drop(port.recv().expect("the third"));
        assert!(sends.join().unwrap());
        assert!(other.recv().is_err());
        assert_only(&count);
    });
}

/// The last receivers leave at the same moment, with a message in the buffer. When the sender sees that they
/// are gone, all messages are dropped.
#[test]
fn the_last_receivers_leave() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = shared_stream();
        let first = port.into_shared();
        let second = first.clone();
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        drop(first.recv().expect("two were sent"));
        let leaves = thread::spawn(move || drop(first));
        let leaves_too = thread::spawn(move || drop(second));
        Closing::wait_closed(&mut chan);
        assert_only(&count);
        leaves.join().unwrap();
        leaves_too.join().unwrap();
    });
}

/// With capacity 0, a receiver that waited leaves, and another one gets the value from a sender that waits.
#[test]
fn a_meeting_is_passed_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(0);
        let first = port.into_shared();
        let second = first.clone();
        let sends = thread::spawn(move || chan.send(sent).is_ok());
        let (_, waker) = WakeCounter::new();
        let mut waiting = Box::pin(first.recv_async());
        let is_received = waiting.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        drop(waiting);
        assert!(is_received || second.recv().is_ok(), "one was sent");
        assert!(sends.join().unwrap());
        assert!(second.recv().is_err());
        assert_only(&count);
    });
}
