//! A port that was polled with a waker that panics becomes a member of a set while its sender sends. The set
//! must still see the member's messages.

use crate::support::{Payload, assert_only, payload, poll};
use loom::thread;
use pipes::{Port, PortSet, shared_stream, stream};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::task::{Wake, Waker};

/// A waker that panics when it is called.
struct PanicsInWake;

impl Wake for PanicsInWake {
    fn wake(self: Arc<Self>) {
        resume_unwind(Box::new(()));
    }
}

/// A waker that panics when it is dropped.
struct PanicsInDrop;

impl Wake for PanicsInDrop {
    fn wake(self: Arc<Self>) {}
}

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        resume_unwind(Box::new(()));
    }
}

fn caught(step: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(step));
}

/// Inserts the port into a set. If it has become a member in spite of a panic, asserts that its message is
/// received.
fn insert_and_send(port: Port<Payload>, send: impl FnOnce()) {
    let mut set = PortSet::new();
    caught(|| drop(set.insert_at(0, port)));
    send();
    if set.len() == 1 {
        assert!(set.try_recv().is_ok(), "a member has a message that no look will ever find");
    }
}

/// A sender calls the waker late, when the port has already become a member.
#[test]
fn called_late() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let waker: Waker = Arc::new(PanicsInWake).into();
        assert!(poll(&mut port, &waker).is_pending());
        drop(waker);
        let (other, again) = (chan.clone(), sent.clone());
        let first = thread::spawn(move || caught(|| drop(chan.send(sent))));
        if port.try_recv().is_ok() {
            insert_and_send(port, || {
                first.join().unwrap();
                let _ = other.send(again);
            });
        } else {
            first.join().unwrap();
            drop((port, again));
        }
        assert_only(&count);
    });
}

/// The port holds the last reference to its waker, so inserting the port drops the waker.
#[test]
fn dropped_by_the_set() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        let waker = ManuallyDrop::new(Waker::from(Arc::new(PanicsInDrop)));
        assert!(poll(&mut port, &waker).is_pending());
        drop(ManuallyDrop::into_inner(waker));
        let again = sent.clone();
        let first = thread::spawn(move || {
            caught(|| drop(chan.send(sent)));
            chan
        });
        insert_and_send(port, || {
            let mut chan = first.join().unwrap();
            let _ = chan.send(again);
        });
        assert_only(&count);
    });
}
