//! A receiver gives up waiting while the other side sends. It gets the message, or it gets its endpoint back
//! and then the message.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::{RecvTimeoutError, oneshot};
use std::time::Duration;

#[test]
fn timeout_then_blocking() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let received = match port.recv_timeout(Duration::from_secs(1)) {
            Ok(payload) => payload,
            Err(RecvTimeoutError::Timeout(port)) => port.recv().expect("something was sent"),
            Err(RecvTimeoutError::Closed) => panic!("no side has closed"),
        };
        drop(received);
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn timeout_then_drop() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || drop(chan.send(sent)));
        drop(port.recv_timeout(Duration::from_secs(1)));
        sender.join().unwrap();
        assert_only(&count);
    });
}
