//! Receivers as members of a `PortSet`.

use super::flavor::{Flavor, Sender};
use crate::{Counted, Tally, lend};
use pipes::{Member, PortSet, SetEmpty};

/// Each member's messages come with its key, and then its close.
pub fn messages_and_closes<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let tally = Tally::new();
    let mut set = PortSet::new();
    let sending: Vec<_> = (0..3)
        .map(|_| {
            let (mut sender, receiver) = F::channel();
            let key = set.insert(receiver);
            let message = tally.make(key as u64);
            lend(move || assert!(sender.send(message).is_ok()))
        })
        .collect();
    let (mut messages, mut closes) = (Vec::new(), Vec::new());
    while !set.is_empty() {
        match set.recv().expect("there are members") {
            (key, Ok(message)) => {
                assert_eq!(message.number, key as u64);
                messages.push(key);
            }
            (key, Err(_)) => closes.push(key),
        }
    }
    assert!(matches!(set.recv(), Err(SetEmpty)));
    messages.sort_unstable();
    assert_eq!(messages, [0, 1, 2]);
    sending.into_iter().for_each(|sending| sending.join().expect("the message was sent"));
    tally.assert_all_gone();
}
