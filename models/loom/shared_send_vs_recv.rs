//! Two senders send to one receiver. Every message arrives, and those of one sender arrive in order.

use crate::support::{Payload, WakeCounter, assert_only, payload, poll};
use loom::future::block_on;
use loom::thread::{self, JoinHandle};
use pipes::{SharedChan, shared_stream};

type Chan = SharedChan<(usize, Payload)>;

/// Spawns two threads that send 1 and 2 and return their chans, so that no chan is dropped before the threads
/// are joined.
fn two_senders(chan: Chan, sent: Payload) -> [JoinHandle<Chan>; 2] {
    [1, 2].map(|number| {
        let (chan, sent) = (chan.clone(), sent.clone());
        thread::spawn(move || {
            chan.send((number, sent)).expect("the port is there");
            chan
        })
    })
}

#[test]
fn thread_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let senders = two_senders(chan, sent);
        let came = port.recv().expect("two were sent").0;
        senders.into_iter().for_each(|sender| drop(sender.join().unwrap()));
        assert_eq!(came + port.try_recv().expect("two were sent").0, 3, "each came once");
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

#[test]
fn task_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let senders = two_senders(chan, sent);
        let came = block_on(port.recv_async()).expect("two were sent").0;
        senders.into_iter().for_each(|sender| drop(sender.join().unwrap()));
        assert_eq!(came + port.try_recv().expect("two were sent").0, 3, "each came once");
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// A message whose send has returned can be received, no matter what the other senders are doing.
#[test]
fn nobody_hides_what_was_sent() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let other = (chan.clone(), sent.clone());
        let second = thread::spawn(move || other.0.send((2, other.1)).expect("the port is there"));
        chan.send((1, sent)).expect("the port is there");
        assert!(port.try_recv().is_ok(), "a message was sent, and is not there");
        second.join().unwrap();
        assert!(port.try_recv().is_ok(), "a message was sent, and is not there");
        drop(chan);
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// A receiver that is registered must find such a message too. Its waker must be called even if the message
/// is at another slot.
#[test]
fn nobody_hides_what_was_sent_to_a_task() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let other = (chan.clone(), sent.clone());
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let second = thread::spawn(move || other.0.send((2, other.1)).expect("the port is there"));
        chan.send((1, sent)).expect("the port is there");
        assert!(poll(&mut port, &waker).is_ready(), "a message was sent, and is not there");
        assert!(port.try_recv().is_ok());
        second.join().unwrap();
        assert_eq!(wakes.count(), 1, "a task that was registered is woken once");
        assert!(port.try_recv().is_ok());
        drop((chan, port, waker));
        assert_only(&count);
    });
}

/// The messages of one sender arrive in order.
#[test]
fn in_order() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let other = (chan.clone(), sent.clone());
        let first = thread::spawn(move || {
            chan.send((1, sent.clone())).expect("the port is there");
            chan.send((2, sent)).expect("the port is there");
        });
        other.0.send((0, other.1)).expect("the port is there");
        drop(other.0);
        let mut came = Vec::new();
        came.extend(port.try_recv().map(|it| it.0));
        came.extend(port.try_recv().map(|it| it.0));
        first.join().unwrap();
        came.extend(port.try_iter().map(|it| it.0));
        came.retain(|it| *it != 0);
        assert_eq!(came, [1, 2]);
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}
