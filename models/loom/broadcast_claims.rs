//! Claims to a message of a broadcast: receivers clone it where it lies, and the last one moves it out.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::{TrySendError, broadcast};

/// A sender looks for room while the only receiver moves the message before out of the place.
#[test]
fn put_vs_take() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || {
            drop(port.try_recv().expect("it was sent"));
            port
        });
        let second = chan.try_send(sent);
        let mut port = receiver.join().unwrap();
        match second {
            Ok(()) => drop(port.try_recv().expect("it was sent")),
            Err(error) => assert!(matches!(error, TrySendError::Full(_))),
        }
        drop(port);
        assert_only(&count);
    });
}

/// A sender looks for room while the last two receivers receive the message before. One of them moves it out,
/// or drops it after both have cloned it.
#[test]
fn put_vs_the_last_two() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let mut other = port.clone();
        chan.send(sent.clone()).expect("the ports are there");
        let receiver = thread::spawn(move || {
            drop(other.try_recv().expect("it was sent"));
            other
        });
        drop(port.try_recv().expect("it was sent"));
        let has_sent = chan.try_send(sent).is_ok();
        let mut other = receiver.join().unwrap();
        assert_eq!(port.try_recv().is_ok(), has_sent);
        assert_eq!(other.try_recv().is_ok(), has_sent);
        assert_only(&count);
    });
}

/// A receiver is cloned while another one receives the same message. All three get it.
#[test]
fn join_vs_recv() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let mut other = port.clone();
        chan.send(sent).expect("the ports are there");
        let receiver = thread::spawn(move || {
            let mut clone = other.clone();
            drop(other.try_recv().expect("it was sent"));
            drop(clone.try_recv().expect("it was sent"));
        });
        drop(port.try_recv().expect("it was sent"));
        receiver.join().unwrap();
        assert_only(&count);
        drop(chan);
    });
}

/// The last two receivers leave at the same time. The message is dropped once.
#[test]
fn leave_vs_leave() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = broadcast(1);
        let other = port.clone();
        chan.send(sent).expect("the ports are there");
        let receiver = thread::spawn(move || drop(other));
        drop(port);
        receiver.join().unwrap();
        assert_only(&count);
        assert!(chan.is_closed());
    });
}
