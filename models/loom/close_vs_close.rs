//! Both sides leave at once. Exactly one of them frees the pipe, whether or not a waiter is registered.

use crate::support::pingpong::{self, Ping};
use crate::support::{WakeCounter, payload, poll};
use loom::thread;
use pipes::{oneshot, stream};

#[test]
fn unused() {
    loom::model(|| {
        let (chan, port) = oneshot::<()>();
        let sender = thread::spawn(move || drop(chan));
        drop(port);
        sender.join().unwrap();
    });
}

#[test]
fn stream_after_a_message() {
    loom::model(|| {
        let (sent, _count) = payload();
        let (mut chan, port) = stream();
        chan.send(sent).expect("the port is there");
        let sender = thread::spawn(move || drop(chan));
        drop(port);
        sender.join().unwrap();
    });
}

#[test]
fn polled() {
    loom::model(|| {
        let (chan, mut port) = oneshot::<()>();
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || drop(chan));
        drop(port);
        sender.join().unwrap();
    });
}

/// The client leaves where it receives, and the server leaves where it sends.
#[test]
fn after_a_ping() {
    loom::model(|| {
        let (sent, _count) = payload();
        let (client, server) = pingpong::pipe();
        let client = client.ping(sent).expect("the server is there");
        let Ok(Ping::Ping(_, server)) = server.recv() else { panic!("the client has pinged") };
        let leaving = thread::spawn(move || drop(client));
        drop(server);
        leaving.join().unwrap();
    });
}
