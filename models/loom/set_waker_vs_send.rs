//! A set is polled spuriously and with other wakers while its members' senders send. The last waker must be
//! called, and a cell that a sender still reads must not be written.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::{PortSet, oneshot};

#[test]
fn last_waker_is_called() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (chan, port) = oneshot();
        set.insert(port);
        let sender = thread::spawn(move || chan.send(sent).expect("the set is there"));
        let (_first, waker) = WakeCounter::new();
        let _ = poll(&mut set, &waker);
        let (second, waker) = WakeCounter::new();
        let pending = poll(&mut set, &waker).is_pending();
        sender.join().unwrap();
        assert!(!pending || second.count() == 1, "the waker of the last poll was forgotten");
        assert!(matches!(set.try_recv(), Ok((0, Ok(_)))));
        assert_only(&count);
    });
}

/// Two senders wake the set, one after the other. The first may still be waking it when the set registers
/// again.
#[test]
fn woken_twice() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..2)
            .map(|_| {
                let (chan, port) = oneshot();
                set.insert(port);
                let sent = sent.clone();
                thread::spawn(move || chan.send(sent).expect("the set is there"))
            })
            .collect();
        drop(sent);
        let (wakes, waker) = WakeCounter::new();
        let mut received = 0;
        let mut asleep = 0;
        for _ in 0..3 {
            asleep = wakes.count();
            if poll(&mut set, &waker).is_ready() && set.try_recv().is_ok() {
                received += 1;
            }
        }
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        let pending = received < 2 && poll(&mut set, &waker).is_pending();
        assert!(!pending, "a member was forgotten: {received} received, {asleep} wakes before the last poll");
        drop(set);
        assert_only(&count);
    });
}

/// A task that was woken and has received waits again with the same waker. It must be registered again.
#[test]
fn waits_again_with_the_same_waker() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let mut chan = set.chan();
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut set, &waker).is_pending());
        chan.send(sent.clone()).expect("the set is there");
        assert_eq!(wakes.count(), 1);
        assert!(matches!(set.try_recv(), Ok((0, Ok(_)))));
        let sender = thread::spawn(move || chan.send(sent).expect("the set is there"));
        let pending = poll(&mut set, &waker).is_pending();
        sender.join().unwrap();
        assert!(!pending || wakes.count() == 2, "the task sleeps, and no side wakes it");
        drop(set);
        assert_only(&count);
    });
}
