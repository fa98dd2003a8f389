//! One side sends while the other drops its endpoint. The payload comes back or is dropped, exactly once.

use crate::support::{assert_only, payload, pingpong};
use loom::thread;
use pipes::{oneshot, stream};

#[test]
fn lone_value() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let receiver = thread::spawn(move || drop(port));
        if let Err(back) = chan.send(sent) {
            drop(back.into_payload());
        }
        receiver.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn two_values() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let receiver = thread::spawn(move || drop(port));
        let first = chan.send(sent.clone());
        let second = chan.send(sent);
        assert!(first.is_ok() || second.is_err(), "once closed, always closed");
        drop((first, second, chan));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// The unread ping contains the server's next endpoint. Dropping it must close the pipe for a client that
/// waits for the pong.
#[test]
fn unread_ping_closes_the_reply() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = pingpong::pipe();
        let receiver = thread::spawn(move || drop(server));
        if let Ok(client) = client.ping(sent) {
            assert!(client.recv().is_err(), "there is no answer");
        }
        receiver.join().unwrap();
        assert_only(&count);
    });
}
