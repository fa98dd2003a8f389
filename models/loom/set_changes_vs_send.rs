//! Ports are inserted into a set and removed from it while their senders send. A token that is on its way
//! must be neither missed nor taken for another member's.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::{PortSet, SetEmpty, TryRecvError, oneshot};

#[test]
fn inserted() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let mut set = PortSet::new();
        set.insert(port);
        assert!(matches!(set.recv(), Ok((0, Ok(_)))));
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn removed_and_received_from() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (chan, port) = oneshot();
        let key = set.insert(port);
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let port = set.remove(&key).expect("it is a member");
        drop(port.recv().expect("it was sent"));
        assert!(matches!(set.recv(), Err(SetEmpty)));
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// The token of the first member may come late, after that of its replacement.
#[test]
fn replaced() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (first, port) = oneshot();
        set.insert(port);
        let other = sent.clone();
        let sender = thread::spawn(move || drop(first.send(other)));
        let (second, port) = oneshot();
        drop(set.insert_at(0, port).expect("the first member comes back"));
        second.send(sent).expect("the set is there");
        assert!(matches!(set.recv(), Ok((0, Ok(_)))));
        assert!(matches!(set.try_recv(), Err(TryRecvError::Closed)));
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// The token of the removed member comes back while the set waits for another member, or later.
#[test]
fn removed_while_another_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (first, port) = oneshot();
        let key = set.insert(port);
        let (second, port) = oneshot();
        set.insert(port);
        let other = sent.clone();
        let senders = thread::spawn(move || {
            let _ = first.send(other);
            second.send(sent).expect("the set is there");
        });
        drop(set.remove(&key).expect("it is a member"));
        assert!(matches!(set.recv(), Ok((1, Ok(_)))));
        senders.join().unwrap();
        assert_only(&count);
    });
}

/// Once a set reports that it is ready, it stays ready until it receives. The token of a removed member does
/// not make it ready, and neither does a message whose token is still on its way.
#[test]
fn asked_whether_it_is_ready() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (first, port) = oneshot();
        let key = set.insert(port);
        let (second, port) = oneshot();
        set.insert(port);
        let other = sent.clone();
        let senders = thread::spawn(move || {
            let _ = first.send(other);
            second.send(sent).expect("the set is there");
        });
        let left = set.remove(&key).expect("it is a member");
        if set.is_ready() {
            assert!(matches!(set.try_recv(), Ok((1, Ok(_)))));
        }
        senders.join().unwrap();
        drop((set, left));
        assert_only(&count);
    });
}
