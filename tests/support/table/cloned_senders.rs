//! Senders that can be cloned.

use super::flavor::{Flavor, Receiver, Sender};
use crate::{Tally, lend};

/// Messages of several senders arrive once, those of each sender in order.
pub fn messages_of_several<F: Flavor<Sender: Clone>>() {
    const SENDERS: u64 = 4;
    const EACH: u64 = 100;
    let tally = Tally::new();
    let (sender, mut receiver) = F::channel();
    let sending: Vec<_> = (0..SENDERS)
        .map(|own| {
            let (mut sender, source) = (sender.clone(), tally.clone());
            lend(move || {
                (0..EACH).for_each(|number| assert!(sender.send(source.make(own * EACH + number)).is_ok()))
            })
        })
        .collect();
    drop(sender);
    let mut next = [0; SENDERS as usize];
    while let Some(message) = receiver.recv() {
        let own = (message.number / EACH) as usize;
        assert_eq!(message.number % EACH, next[own]);
        next[own] += 1;
    }
    assert_eq!(next, [EACH; SENDERS as usize]);
    sending.into_iter().for_each(|sending| sending.join().expect("all messages are sent"));
    tally.assert_all_gone();
}

/// The channel closes when the last sender leaves.
pub fn last_one_closes<F: Flavor<Sender: Clone>>() {
    let tally = Tally::new();
    let (sender, mut receiver) = F::channel();
    let mut other = sender.clone();
    drop(sender);
    let message = tally.make(1);
    let sending = lend(move || assert!(other.send(message).is_ok()));
    assert_eq!(receiver.recv().expect("a sender is left").number, 1);
    assert!(receiver.recv().is_none());
    sending.join().expect("the message was sent");
}
