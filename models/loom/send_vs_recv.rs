//! One side sends while the other receives, as a thread, as a task, or in a stream.

use crate::support::{assert_only, payload};
use loom::future::block_on;
use loom::thread;
use pipes::{oneshot, stream};
use std::future::IntoFuture;

#[test]
fn thread_receives_what_is_sent_meanwhile() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        drop(port.recv().expect("something was sent"));
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn task_receives_what_is_sent_meanwhile() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        drop(block_on(port.into_future()).expect("something was sent"));
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn thread_receives_twice_from_a_stream() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        let sender = thread::spawn(move || {
            chan.send(sent.clone()).expect("the port is there");
            chan.send(sent).expect("the port is there");
        });
        drop(port.recv().expect("something was sent"));
        drop(port.recv().expect("something more was sent"));
        sender.join().unwrap();
        assert!(port.recv().is_err(), "the chan has gone");
        assert_only(&count);
    });
}
