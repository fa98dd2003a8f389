//! The receiver leaves while several senders send. Each message comes back or is dropped with the receiver.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::shared_stream;

#[test]
fn two_senders() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        let other = (chan.clone(), sent.clone());
        let first = thread::spawn(move || drop(chan.send(sent)));
        let second = thread::spawn(move || drop(other.0.send(other.1)));
        drop(port);
        first.join().unwrap();
        second.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn one_sender_keeps_its_end() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || drop(port));
        let mut closed = false;
        for _ in 0..3 {
            let result = chan.send(sent.clone());
            assert!(!closed || result.is_err(), "once closed, always closed");
            closed = result.is_err();
        }
        receiver.join().unwrap();
        drop(sent);
        assert_only(&count);
        assert!(chan.is_closed());
    });
}

/// The last sender and the receiver leave at once.
#[test]
fn close_vs_close() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        chan.send(sent).expect("the port is there");
        let sender = thread::spawn(move || drop(chan));
        drop(port);
        sender.join().unwrap();
        assert_only(&count);
    });
}
