//! What holds for channels that carry many messages, all of which arrive.

use super::flavor::{Flavor, Missing, Receiver, Sender};
use crate::{Random, Tally, effort, lend};
use std::time::Duration;

/// The number of messages: several blocks of an unbounded channel.
const MESSAGES: u64 = 500;

/// All messages arrive once, in their order.
pub fn order<F: Flavor>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let source = tally.clone();
    let sending = lend(move || {
        for number in 0..MESSAGES {
            assert!(sender.send(source.make(number)).is_ok());
        }
    });
    for number in 0..MESSAGES {
        assert_eq!(receiver.recv().expect("a message was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    sending.join().expect("all messages are sent");
    tally.assert_all_gone();
}

/// All messages arrive at a receiver that polls, waits for a while or blocks, by turns.
pub fn every_kind_of_receive<F: Flavor>() {
    for seed in 0..effort(20) as u64 {
        let tally = Tally::new();
        let (mut sender, mut receiver) = F::channel();
        let source = tally.clone();
        let sending = lend(move || {
            let mut random = Random::new(seed);
            for number in 0..100 {
                random.dawdle(100);
                assert!(sender.send(source.make(number)).is_ok());
            }
        });
        let (mut random, mut next) = (Random::new(!seed), 0);
        loop {
            let message = match random.below(3) {
                0 => receiver.try_recv(),
                1 => receiver.recv_timeout(Duration::from_nanos(random.below(100_000))),
                _ => receiver.recv().ok_or(Missing::Closed),
            };
            match message {
                Ok(message) => {
                    assert_eq!(message.number, next);
                    next += 1;
                }
                Err(Missing::Empty) => std::thread::yield_now(),
                Err(Missing::Closed) => break,
            }
        }
        assert_eq!(next, 100);
        sending.join().expect("all messages are sent");
        tally.assert_all_gone();
    }
}

/// The receiver leaves in the middle. Every message is received, dropped, or returned by its send.
pub fn receiver_leaves_in_the_middle<F: Flavor>() {
    for seed in 0..effort(30) as u64 {
        let tally = Tally::new();
        let (mut sender, mut receiver) = F::channel();
        let source = tally.clone();
        let sending = lend(move || {
            let mut sent = 0;
            while let Ok(()) = sender.send(source.make(sent)) {
                sent += 1;
            }
            assert!(sender.is_closed());
            sent
        });
        let count = Random::new(seed).below(150);
        for number in 0..count {
            assert_eq!(receiver.recv().expect("the sender goes on").number, number);
        }
        drop(receiver);
        assert!(sending.join().expect("the sender ends") >= count);
        tally.assert_all_gone();
    }
}
