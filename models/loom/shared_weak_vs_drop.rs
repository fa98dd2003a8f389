//! A weak sender becomes a sender while the last sender leaves. Either it is in time, and the stream closes
//! after it, or the stream has closed already.

use crate::support::{assert_only, payload};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use pipes::shared_stream;

#[test]
fn one_sends() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let weak = chan.downgrade();
        let last = thread::spawn(move || drop(chan));
        let upgraded = weak.upgrade();
        let in_time = upgraded.is_some();
        match upgraded {
            Some(chan) => chan.send(sent).expect("the port is there"),
            None => drop(sent),
        }
        assert_eq!(port.recv().is_ok(), in_time);
        if in_time {
            assert!(port.recv().is_err(), "and closed after it");
        }
        assert!(weak.upgrade().is_none());
        last.join().unwrap();
        assert_only(&count);
    });
}

/// There are two weak senders and the last sender. The stream closes once, after all of them.
#[test]
fn two_upgrade() {
    loom::model(|| {
        let (chan, mut port) = shared_stream();
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let weak = chan.downgrade();
                thread::spawn(move || weak.upgrade().map(|chan| chan.send(())).is_some())
            })
            .collect();
        drop(chan);
        let received = usize::from(port.recv().is_ok()) + usize::from(port.recv().is_ok());
        let sent = threads.into_iter().map(|it| usize::from(it.join().unwrap())).sum();
        assert_eq!(received, sent);
        assert!(port.recv().is_err());
    });
}

/// A receiver that finds the close sees what the last sender did before it left, even if it was a weak sender
/// that closed.
#[test]
fn what_came_before_is_seen() {
    loom::model(|| {
        let done = Arc::new(AtomicBool::new(false));
        let (chan, mut port) = shared_stream::<()>();
        let weak = chan.downgrade();
        let other = {
            let done = done.clone();
            thread::spawn(move || {
                done.store(true, Ordering::Relaxed);
                drop(chan);
            })
        };
        drop(weak.upgrade());
        if port.try_recv().is_err_and(|error| error.is_closed()) {
            assert!(done.load(Ordering::Relaxed), "a sender left and is not done");
        }
        other.join().unwrap();
    });
}
