//! A selection waits for two receivers while the other sides send, leave, or do nothing.

use crate::support::{assert_only, payload};
use loom::future::block_on;
use loom::thread;
use pipes::{oneshot, select, select_async, stream};

#[test]
fn one_of_two_is_sent_to() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut first) = oneshot();
        let (silent, mut second) = stream::<()>();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let chosen = select! {
            message = first => message.expect("it was sent"),
            _ = second => panic!("nothing is sent there"),
        };
        drop((chosen, silent));
        assert!(second.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn both_are_sent_to() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut first) = oneshot();
        let (mut other, mut second) = stream();
        let also = sent.clone();
        let senders = [
            thread::spawn(move || chan.send(sent).expect("the port is there")),
            thread::spawn(move || other.send(also).expect("the port is there")),
        ];
        select! {
            message = first => {
                drop(message.expect("it was sent"));
                drop(second.recv().expect("it was sent"));
            },
            message = second => {
                drop(message.expect("it was sent"));
                drop(first.recv().expect("it was sent"));
            },
        }
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        drop(second);
        assert_only(&count);
    });
}

#[test]
fn one_leaves() {
    loom::model(|| {
        let (chan, mut first) = oneshot::<()>();
        let (_silent, mut second) = stream::<()>();
        let leaving = thread::spawn(move || drop(chan));
        select! {
            message = first => assert!(message.is_err()),
            _ = second => panic!("nothing is sent there"),
        }
        leaving.join().unwrap();
    });
}

/// The receiver that is not chosen, at which the task is still registered, is dropped while its sender sends.
#[test]
fn the_other_is_dropped() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut first) = oneshot();
        let (other, mut second) = oneshot();
        let also = sent.clone();
        let late = thread::spawn(move || drop(other.send(also)));
        chan.send(sent).expect("the port is there");
        block_on(async {
            select_async! {
                message = first => {
                    drop(message.expect("it was sent"));
                    drop(second);
                },
                message = second => {
                    drop(message.expect("it was sent"));
                    drop(first);
                },
            }
        });
        late.join().unwrap();
        assert_only(&count);
    });
}
