//! Receivers of shared ports where several things come together: permits and the tray, tokens that move from
//! set to set, two messages that are kept at the end, the last receivers leaving at once.

use crate::support::{Bell, assert_only, payload, poll};
use loom::thread;
use pipes::{Closing, PortSet, shared_stream, shared_sync_stream, stream, sync_stream};

/// The room of a message in the tray is free when it is claimed, and the sender that waits gets it.
#[test]
fn a_claim_makes_room() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(2);
        let mut port = port.into_shared();
        chan.try_send(sent.clone()).expect("there is room");
        chan.try_send(sent.clone()).expect("there is room");
        let sends = thread::spawn(move || chan.send(sent).is_ok());
        let mut other = port.clone();
        drop(port.recv().expect("the first"));
        drop(other.recv().expect("the second, from the tray"));
        drop(port.recv().expect("the third"));
        assert!(sends.join().unwrap());
        assert!(other.recv().is_err());
        assert_only(&count);
    });
}

/// A kept message makes room as well, and it does not make room again when it is given back.
#[test]
fn a_kept_message_makes_room_once() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(1);
        let mut keeper = port.into_shared();
        let mut other = keeper.clone();
        chan.try_send(sent.clone()).expect("there is room");
        let sends = thread::spawn(move || {
            chan.send(sent.clone()).expect("the ports are there");
            assert!(chan.try_send(sent).is_err(), "one is unread");
        });
        let (_, waker) = Bell::new();
        assert!(poll(&mut keeper, &waker).is_ready());
        drop(keeper);
        sends.join().unwrap();
        drop((other.recv().expect("given back"), other.recv().expect("the second")));
        assert!(other.recv().is_err());
        assert_only(&count);
    });
}

/// A member moves to another set while its first set's token may be on its way.
#[test]
fn a_member_moves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let port = port.into_shared();
        let (mut old, mut new) = (PortSet::new(), PortSet::new());
        let key = old.insert(port.clone());
        let sends = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let member = old.remove(&key).expect("it is a member");
        new.insert(member);
        assert!(new.recv().is_ok_and(|(_, heard)| heard.is_ok()), "one was sent");
        assert!(new.recv().is_ok_and(|(_, heard)| heard.is_err()), "the sender has left");
        sends.join().unwrap();
        old.insert(port);
        assert!(old.recv().is_ok_and(|(_, heard)| heard.is_err()), "the sender has left");
        assert_only(&count);
    });
}

/// A set is dropped while a message rings for it; the message is there for the other receiver.
#[test]
fn a_set_is_dropped() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut other = port.into_shared();
        let mut set = PortSet::new();
        set.insert(other.clone());
        let sends = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (_, waker) = Bell::new();
        let _ready = poll(&mut set, &waker);
        drop(set);
        assert!(other.recv().is_ok(), "one was sent");
        sends.join().unwrap();
        assert!(other.recv().is_err());
        assert_only(&count);
    });
}

/// Two messages are kept at the end. One is received, the other one given back, and the third receiver waits.
#[test]
fn two_are_kept_at_the_end() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut first = port.into_shared();
        let mut second = first.clone();
        let mut third = first.clone();
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        drop(chan);
        let (_, waker) = Bell::new();
        assert!(poll(&mut first, &waker).is_ready() && poll(&mut second, &waker).is_ready());
        let waits = thread::spawn(move || {
            assert!(pipes::select! { heard = third => heard.is_ok() }, "one is given back");
            assert!(pipes::select! { heard = third => heard.is_err() }, "the other one was received");
        });
        let gives = thread::spawn(move || drop(second));
        drop(first.try_recv().expect("it is kept"));
        gives.join().unwrap();
        waits.join().unwrap();
        drop(first);
        assert_only(&count);
    });
}

/// The last receivers leave at the same moment, one of which keeps a message. When the sender sees them gone,
/// all messages are dropped.
#[test]
fn the_last_receivers_leave() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = shared_stream();
        let mut first = port.into_shared();
        let second = first.clone();
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        let (_, waker) = Bell::new();
        assert!(poll(&mut first, &waker).is_ready());
        let leaves = thread::spawn(move || drop(first));
        let leaves_too = thread::spawn(move || drop(second));
        Closing::wait_closed(&mut chan);
        assert_only(&count);
        leaves.join().unwrap();
        leaves_too.join().unwrap();
    });
}

/// Capacity 0: a receiver that waited leaves, and another one gets the value from a sender that waits.
#[test]
fn a_meeting_is_passed_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(0);
        let mut first = port.into_shared();
        let mut second = first.clone();
        let sends = thread::spawn(move || chan.send(sent).is_ok());
        let (_, waker) = Bell::new();
        let _ready = poll(&mut first, &waker);
        drop(first);
        assert!(second.recv().is_ok(), "one was sent");
        assert!(sends.join().unwrap());
        assert!(second.recv().is_err());
        assert_only(&count);
    });
}
