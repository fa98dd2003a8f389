//! Two senders meet at the end of a block, where one of them installs the next.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::shared_stream;

/// The first block has one slot left, and both senders claim a slot.
#[test]
fn one_slot_left() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        chan.send((0, sent.clone())).expect("the port is there");
        drop(port.try_recv().expect("it was sent"));
        let other = (chan.clone(), sent.clone());
        let first = thread::spawn(move || chan.send((1, sent)).expect("the port is there"));
        let second = thread::spawn(move || other.0.send((2, other.1)).expect("the port is there"));
        let early = port.try_recv().map_or(0, |it| it.0) + port.try_recv().map_or(0, |it| it.0);
        first.join().unwrap();
        second.join().unwrap();
        assert_eq!(early + port.try_iter().map(|it| it.0).sum::<i32>(), 3, "each came once");
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// The receiver waits at the end of the block. Publishing the link must wake it.
#[test]
fn the_link_wakes() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..2 {
            chan.send(sent.clone()).expect("the port is there");
            drop(port.try_recv().expect("it was sent"));
        }
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        assert!(port.recv().is_ok());
        sender.join().unwrap();
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// The first block is used up, and the receiver leaves.
#[test]
fn no_slot_left_vs_drop() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent.clone()).expect("the port is there");
        let other = (chan.clone(), sent.clone());
        let first = thread::spawn(move || drop(chan.send(sent)));
        let second = thread::spawn(move || drop(other.0.send(other.1)));
        drop(port);
        first.join().unwrap();
        second.join().unwrap();
        assert_only(&count);
    });
}

/// A sender may stop between installing a block and linking it. Messages that others send into the block must
/// still be received.
#[test]
fn nobody_hides_a_block() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..2 {
            chan.send(sent.clone()).expect("the port is there");
            drop(port.try_recv().expect("it was sent"));
        }
        let other = (chan.clone(), sent.clone());
        let second = thread::spawn(move || other.0.send(other.1).expect("the port is there"));
        chan.send(sent).expect("the port is there");
        assert!(port.try_recv().is_ok(), "a message was sent, and is not there");
        second.join().unwrap();
        assert!(port.try_recv().is_ok(), "a message was sent, and is not there");
        drop((chan, port));
        assert_only(&count);
    });
}

/// A sender finds that a block installed by another sender is used up. It installs and links the next one.
#[test]
fn a_block_that_somebody_else_brought() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..2 {
            chan.send(sent.clone()).expect("the port is there");
        }
        let (other, others) = (chan.clone(), sent.clone());
        let second = thread::spawn(move || {
            for _ in 0..2 {
                other.send(others.clone()).expect("the port is there");
            }
        });
        chan.send(sent).expect("the port is there");
        second.join().unwrap();
        drop(chan);
        assert_eq!(port.iter().count(), 5);
        assert_only(&count);
    });
}
