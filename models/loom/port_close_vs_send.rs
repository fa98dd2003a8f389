//! The port closes the stream while messages are sent. Each of them is in the vector or comes back.

use crate::support::{Payload, WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{Chan, Port, SharedChan, oneshot, shared_stream, shared_sync_stream, stream, sync_stream};
use std::task::Context;

/// Sends up to `most` messages, until one comes back. Returns how many were sent.
fn send_until_closed(
    sent: Payload,
    most: usize,
    mut send: impl FnMut(Payload) -> Result<(), pipes::SendError<Payload>>,
) -> usize {
    (0..most).take_while(|_| send(sent.clone()).is_ok()).count()
}

fn one_sender((mut chan, port): (Chan<Payload>, Port<Payload>), most: usize) {
    let (sent, count) = payload();
    let sender = thread::spawn(move || send_until_closed(sent, most, |message| chan.send(message)));
    let left = port.close();
    assert_eq!(sender.join().unwrap(), left.len());
    drop(left);
    assert_only(&count);
}

fn two_senders((chan, port): (SharedChan<Payload>, Port<Payload>)) {
    let (sent, count) = payload();
    let other = (chan.clone(), sent.clone());
    let first = thread::spawn(move || send_until_closed(sent, 1, |message| chan.send(message)));
    let second = thread::spawn(move || send_until_closed(other.1, 1, |message| other.0.send(message)));
    let left = port.close();
    assert_eq!(first.join().unwrap() + second.join().unwrap(), left.len());
    drop(left);
    assert_only(&count);
}

/// Of three messages, the second one ends a block.
#[test]
fn of_a_stream() {
    loom::model(|| one_sender(stream(), 3));
}

#[test]
fn of_a_oneshot() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).is_ok());
        let left = port.close();
        assert_eq!(sender.join().unwrap(), left.is_some());
        drop(left);
        assert_only(&count);
    });
}

/// The port has waited in a task, which the sender may be about to wake.
#[test]
fn of_a_oneshot_that_was_waited_for() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = oneshot();
        let (_, waker) = WakeCounter::new();
        assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
        let sender = thread::spawn(move || chan.send(sent).is_ok());
        let left = port.close();
        assert_eq!(sender.join().unwrap(), left.is_some());
        drop(left);
        assert_only(&count);
    });
}

#[test]
fn of_a_bounded_stream() {
    loom::model(|| one_sender(sync_stream(1), 2));
}

#[test]
fn of_a_rendezvous() {
    loom::model(|| one_sender(sync_stream(0), 1));
}

#[test]
fn of_a_shared_stream() {
    loom::model(|| two_senders(shared_stream()));
}

#[test]
fn of_a_bounded_shared_stream() {
    loom::model(|| two_senders(shared_sync_stream(1)));
}

/// Messages are there when the port closes, and a sender waits for room.
#[test]
fn with_messages_that_are_there() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(1);
        chan.send(sent.clone()).expect("there is room");
        let sender = thread::spawn(move || chan.send(sent).is_err());
        let left = port.close();
        assert_eq!(left.len(), 1, "there was no room for another one");
        assert!(sender.join().unwrap());
        drop(left);
        assert_only(&count);
    });
}
