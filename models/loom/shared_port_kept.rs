//! A receiver of a shared port keeps the message that it has found, and receives it later or gives it back,
//! while others look, wait, and find the end.

use crate::support::{Bell, Payload, assert_only, payload, poll};
use loom::thread;
use pipes::{Chan, PortSet, SharedPort, stream};

/// Two receivers, the second of which keeps the only message, and their sender.
fn one_is_kept() -> (Chan<Payload>, [SharedPort<Payload>; 2], Payload) {
    let (sent, count) = payload();
    let (mut chan, port) = stream();
    let mut keeper = port.into_shared();
    chan.send(sent).expect("the port is there");
    let (_, waker) = Bell::new();
    assert!(poll(&mut keeper, &waker).is_ready());
    (chan, [keeper.clone(), keeper], count)
}

/// The other one waits, and gets what is given back.
#[test]
fn given_back_vs_recv() {
    loom::model(|| {
        let (chan, [mut other, keeper], count) = one_is_kept();
        let waits = thread::spawn(move || other.recv().is_ok());
        drop(keeper);
        assert!(waits.join().unwrap(), "a message was given back");
        drop(chan);
        assert_only(&count);
    });
}

/// The same after the sender has left.
#[test]
fn given_back_at_the_end() {
    loom::model(|| {
        let (chan, [mut other, keeper], count) = one_is_kept();
        drop(chan);
        let waits = thread::spawn(move || other.recv().is_ok());
        drop(keeper);
        assert!(waits.join().unwrap(), "a message was given back");
        assert_only(&count);
    });
}

/// The other one waits, and finds the end when the message is received.
#[test]
fn received_vs_end() {
    loom::model(|| {
        let (chan, [mut other, mut keeper], count) = one_is_kept();
        drop(chan);
        let waits = thread::spawn(move || other.recv().is_ok());
        assert!(keeper.try_recv().is_ok(), "it is kept");
        assert!(!waits.join().unwrap(), "the message was received");
        assert_only(&count);
    });
}

/// The other one looks once: while a message may still be given back, it does not find the end.
#[test]
fn given_back_vs_look() {
    loom::model(|| {
        let (chan, [mut other, keeper], count) = one_is_kept();
        drop(chan);
        let drops = thread::spawn(move || drop(keeper));
        let mut looked = other.try_recv();
        drops.join().unwrap();
        if looked.is_err() {
            assert!(!matches!(looked, Err(pipes::TryRecvError::Closed)), "a message is left");
            looked = other.try_recv();
        }
        assert!(looked.is_ok());
        drop(looked);
        assert_only(&count);
    });
}

/// One selects, the other one receives; each gets one message.
#[test]
fn one_selects_and_one_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut mine = port.into_shared();
        let mut other = mine.clone();
        let receives = thread::spawn(move || other.recv().is_ok());
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        let is_received = pipes::select! { heard = mine => heard.is_ok() };
        assert!(is_received && receives.join().unwrap(), "two were sent");
        drop((chan, mine));
        assert_only(&count);
    });
}

/// A set waits for its member, while a message comes, and the sender leaves.
#[test]
fn a_member_vs_send() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut set = PortSet::new();
        set.insert(port.into_shared());
        let sends = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let is_message =
            |heard: Option<_>| heard.is_some_and(|(_, heard): (usize, Result<_, _>)| heard.is_ok());
        assert!(is_message(set.recv().ok()));
        assert!(!is_message(set.recv().ok()), "the sender has left");
        sends.join().unwrap();
        drop(set);
        assert_only(&count);
    });
}

/// A set and another receiver, with one message for each.
#[test]
fn a_member_vs_recv() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut other = port.into_shared();
        let mut set = PortSet::new();
        set.insert(other.clone());
        let receives = thread::spawn(move || other.recv().is_ok());
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        assert!(set.recv().is_ok_and(|(_, heard)| heard.is_ok()), "two were sent");
        assert!(receives.join().unwrap(), "two were sent");
        drop((chan, set));
        assert_only(&count);
    });
}

/// A member leaves its set, before or after a message has rung for the set. It is a receiver as before, and
/// the set keeps working.
#[test]
fn a_member_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mut set = PortSet::new();
        let key = set.insert(port.into_shared());
        let sends = thread::spawn(move || {
            chan.send(sent).expect("the port is there");
            chan
        });
        let mut member = set.remove(&key).expect("it is a member");
        assert!(member.recv().is_ok(), "one was sent");
        let chan = sends.join().unwrap();
        set.insert_at(key, member);
        drop(chan);
        assert!(set.recv().is_ok_and(|(_, heard)| heard.is_err()), "the sender has left");
        drop(set);
        assert_only(&count);
    });
}
