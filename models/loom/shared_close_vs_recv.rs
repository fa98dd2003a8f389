//! The last of several senders leaves while the receiver waits. The receiver must learn about it, whichever
//! sender is the last.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use pipes::shared_stream;

#[test]
fn both_leave() {
    loom::model(|| {
        let (chan, mut port) = shared_stream::<()>();
        let other = chan.clone();
        let first = thread::spawn(move || drop(chan));
        let second = thread::spawn(move || drop(other));
        assert!(port.recv().is_err());
        assert!(port.recv().is_err(), "once closed, always closed");
        first.join().unwrap();
        second.join().unwrap();
    });
}

#[test]
fn one_sends_and_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let other = chan.clone();
        let sender = thread::spawn(move || other.send(sent).expect("the port is there"));
        drop(chan);
        assert!(port.recv().is_ok());
        assert!(port.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// A block has two slots. After two messages, the sender leaves at the word where the next block would be
/// linked.
#[test]
fn at_the_end_of_a_block() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..2 {
            chan.send(sent.clone()).expect("the port is there");
            drop(port.try_recv().expect("it was sent"));
        }
        let sender = thread::spawn(move || drop((chan, sent)));
        assert!(port.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn a_task_waits() {
    loom::model(|| {
        let (chan, mut port) = shared_stream::<()>();
        let (wakes, waker) = WakeCounter::new();
        let sender = thread::spawn(move || drop(chan));
        let pending = poll(&mut port, &waker).is_pending();
        sender.join().unwrap();
        assert!(!pending || wakes.count() == 1, "the task was not woken");
        assert!(port.try_recv().is_err_and(|error| error.is_closed()));
    });
}

/// A receiver that learns that all senders have left sees what each of them did before.
#[test]
fn what_came_before_is_seen() {
    loom::model(|| {
        let done = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (chan, mut port) = shared_stream::<()>();
        let chans = [chan.clone(), chan];
        let senders: Vec<_> = done
            .iter()
            .cloned()
            .zip(chans)
            .map(|(done, chan)| {
                thread::spawn(move || {
                    done.store(true, Ordering::Relaxed);
                    drop(chan);
                })
            })
            .collect();
        if port.try_recv().is_err_and(|error| error.is_closed()) {
            assert!(done.iter().all(|done| done.load(Ordering::Relaxed)), "a sender left and is not done");
        }
        senders.into_iter().for_each(|sender| sender.join().unwrap());
    });
}
