//! Receivers of many messages as `futures::Stream`s.

use super::flavor::{Flavor, Sender};
use crate::{Counted, DropCounter, spawn};
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::Stream;

/// All messages come in order, and then the end.
pub fn collected<F: Flavor<Receiver: Stream<Item = Counted> + Unpin>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let source = drops.clone();
    let sending =
        spawn(move || (0..100).for_each(|number| assert!(sender.send(source.make(number)).is_ok())));
    for number in 0..100 {
        assert_eq!(block_on(receiver.next()).expect("a message was sent").number, number);
    }
    for _ in 0..3 {
        assert!(block_on(receiver.next()).is_none(), "it stays at its end");
    }
    sending.join().expect("all messages are sent");
    drops.assert_all_dropped();
}
