//! A receiver of a shared port closes the stream, while others send, receive, and close it as well.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::{shared_stream, stream, sync_stream};
use std::sync::Arc;

/// A sender sends, and does not wait. What was sent is received, and then the end.
#[test]
fn it_is_closed_while_another_sends() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        let port = port.into_shared();
        let sends = thread::spawn(move || usize::from(chan.send(sent).is_ok()));
        assert!(port.close());
        assert_eq!(port.try_iter().count(), sends.join().unwrap());
        assert!(port.is_closed());
        assert_only(&count);
    });
}

/// A receiver waits. It gets the message or the end, and misses neither.
#[test]
fn it_is_closed_while_another_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let port = Arc::new(port.into_shared());
        let other = port.clone();
        chan.send(sent).expect("the port is there");
        let receives = thread::spawn(move || {
            let first = other.recv().is_ok();
            usize::from(first) + usize::from(first && other.recv().is_ok())
        });
        assert!(port.close());
        assert_eq!(receives.join().unwrap(), 1);
        assert!(chan.is_closed());
        assert_only(&count);
    });
}

/// A sender waits for room. It gets its message back, or the message is received.
#[test]
fn it_is_closed_while_a_sender_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(1);
        let port = port.into_shared();
        chan.send(sent.clone()).expect("there is room");
        let sends = thread::spawn(move || usize::from(chan.send(sent).is_ok()));
        assert!(port.close());
        assert_eq!(port.try_iter().count(), 1 + sends.join().unwrap());
        assert_only(&count);
    });
}

/// Two receivers close the stream. What was sent is received once.
#[test]
fn it_is_closed_twice() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let port = port.into_shared();
        let other = port.clone();
        chan.send(sent).expect("the port is there");
        let closes = thread::spawn(move || other.close());
        assert_ne!(port.close(), closes.join().unwrap());
        assert_eq!(port.try_iter().count(), 1);
        assert!(port.is_closed());
        assert_only(&count);
    });
}
