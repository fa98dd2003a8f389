//! A set is dropped while its members' senders send. No thread may touch freed memory, and nothing may leak.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::{PortSet, oneshot};

#[test]
fn dropped_while_two_send() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..2)
            .map(|_| {
                let (chan, port) = oneshot();
                set.insert(port);
                let sent = sent.clone();
                thread::spawn(move || drop(chan.send(sent)))
            })
            .collect();
        drop((sent, set));
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        assert_only(&count);
    });
}

/// The set is dropped while a task that polled it is registered.
#[test]
fn dropped_asleep() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (chan, port) = oneshot();
        set.insert(port);
        let sender = thread::spawn(move || drop(chan.send(sent)));
        let (wakes, waker) = WakeCounter::new();
        let _ = poll(&mut set, &waker);
        drop((set, waker));
        sender.join().unwrap();
        assert!(wakes.count() <= 1);
        assert_only(&count);
    });
}
