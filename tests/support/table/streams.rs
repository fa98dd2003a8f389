//! Receivers as `futures::Stream`s.

use super::flavor::{Flavor, Sender};
use crate::{Counted, Tally, lend};
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::Stream;

/// All messages come in order, and then the end.
pub fn collected<F: Flavor<Receiver: Stream<Item = Counted> + Unpin>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let source = tally.clone();
    let sending = lend(move || (0..100).for_each(|number| assert!(sender.send(source.make(number)).is_ok())));
    for number in 0..100 {
        assert_eq!(block_on(receiver.next()).expect("a message was sent").number, number);
    }
    assert!(block_on(receiver.next()).is_none());
    sending.join().expect("all messages are sent");
    tally.assert_all_gone();
}
