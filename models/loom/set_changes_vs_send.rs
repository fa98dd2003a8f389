//! Members come to a set and leave it while they are sent to: a token that is on its way must not be missed or mistaken.

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

/// The first member's token may come late, when the second one is long there.
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

/// The token of the member that left comes back while the set waits for another one, or later.
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

/// A set that says that it is ready is so until it receives: the token of a member that left is no sign, and neither is a message whose
/// token is still on its way.
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
