//! Senders of several messages that wait until the receiver has left.

use super::flavor::{Flavor, Receiver, Sender};
use crate::{Bell, Random, Tally, effort, lend, poll_closed};
use pipes::Closing;

/// When a sender that waits sees the close, all that it has sent is received or dropped.
pub fn all_is_dropped_before_the_close_is_seen<F: Flavor<Sender: Closing>>() {
    for seed in 0..effort(100) as u64 {
        let tally = Tally::new();
        let (mut sender, mut receiver) = F::channel();
        let mut random = Random::new(seed);
        let (sent, received) = (random.below(40), random.below(20));
        let (source, mut own) = (tally.clone(), Random::new(!seed));
        let sending = lend(move || {
            for number in 0..sent {
                own.dawdle(30);
                // A send that was refused has seen the close without a wait.
                if sender.send(source.make(number)).is_err() {
                    return;
                }
            }
            sender.wait_closed();
            source.assert_all_gone();
        });
        random.dawdle(300);
        for _ in 0..received.min(sent) {
            drop(receiver.recv().expect("the sender goes on"));
        }
        drop(receiver);
        sending.join().expect("it sees the close in time");
        tally.assert_all_gone();
    }
}

/// A task waits for the close, sends, and waits for the close again. The close wakes it.
pub fn task_that_sends_between_waits<F: Flavor<Sender: Closing>>() {
    for sends in 0..3 {
        let tally = Tally::new();
        let (bell, waker) = Bell::new();
        let (mut sender, mut receiver) = F::channel();
        for number in 0..sends {
            assert!(!poll_closed(&mut sender, &waker));
            let message = tally.make(number);
            let sending = lend(move || {
                assert!(sender.send(message).is_ok());
                sender
            });
            assert_eq!(receiver.recv().expect("it was sent").number, number);
            sender = sending.join().expect("it was sent");
        }
        assert!(!poll_closed(&mut sender, &waker));
        let before = bell.rings();
        drop(receiver);
        assert!(bell.rings() > before);
        assert!(poll_closed(&mut sender, &waker));
    }
}
