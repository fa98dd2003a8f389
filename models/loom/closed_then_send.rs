//! A sender that has watched for its receiver to leave sends after all. Its own mark is in the word that both
//! sides change.

use crate::support::pingpong::{self, Ping};
use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{Closing, oneshot};
use std::task::Context;

#[test]
fn while_the_receiver_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = oneshot();
        let (wakes, waker) = WakeCounter::new();
        let receiver = thread::spawn(move || drop(port.recv().expect("something was sent")));
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        chan.send(sent).expect("the port is there");
        receiver.join().unwrap();
        assert_eq!(wakes.count(), 0, "no side has left");
        assert_only(&count);
    });
}

#[test]
fn while_the_receiver_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = oneshot();
        let (_wakes, waker) = WakeCounter::new();
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        let receiver = thread::spawn(move || drop(port));
        drop(chan.send(sent));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn and_the_session_goes_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut client, server) = pingpong::pipe();
        let (_wakes, waker) = WakeCounter::new();
        assert!(client.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        let serving = thread::spawn(move || {
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings") };
            drop((payload, server));
        });
        assert!(client.ping(sent).expect("the server is there").recv().is_err());
        serving.join().unwrap();
        assert_only(&count);
    });
}
