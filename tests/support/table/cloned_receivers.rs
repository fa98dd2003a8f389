//! Receivers that can be cloned: each message goes to one of them.

use super::flavor::{Flavor, Missing, Receiver, Sender, until_closed};
use crate::{Tally, lend};

/// Each message goes to one receiver. Each receiver gets its messages in order.
pub fn messages_for_several<F: Flavor<Receiver: Clone>>() {
    const MESSAGES: u64 = 300;
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    let receiving: Vec<_> = (0..3)
        .map(|_| {
            let mut receiver = receiver.clone();
            lend(move || {
                std::iter::from_fn(|| receiver.recv()).map(|message| message.number).collect::<Vec<_>>()
            })
        })
        .collect();
    drop(receiver);
    for number in 0..MESSAGES {
        assert!(sender.send(tally.make(number)).is_ok());
    }
    drop(sender);
    let received = receiving.into_iter().map(|receiving| receiving.join().expect("the sender has left"));
    let mut all: Vec<_> = received.inspect(|own| assert!(own.is_sorted())).flatten().collect();
    all.sort_unstable();
    assert_eq!(all, (0..MESSAGES).collect::<Vec<_>>());
    tally.assert_all_gone();
}

/// The channel closes when the last receiver leaves.
pub fn last_one_closes<F: Flavor<Receiver: Clone>>() {
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    let mut other = receiver.clone();
    drop(receiver);
    assert!(!sender.is_closed());
    assert_eq!(other.try_recv().unwrap_err(), Missing::Empty);
    drop(other);
    until_closed(&sender);
    assert!(sender.send(tally.make(1)).is_err());
}
