//! Senders as `futures::Sink`s.

use super::flavor::{Flavor, Receiver};
use crate::{Counted, Tally, lend};
use futures::SinkExt;
use futures::executor::block_on;
use futures::sink::Sink;

/// All messages arrive in order, and then the close.
pub fn sent_and_closed<F: Flavor<Sender: Sink<Counted> + Unpin>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let source = tally.clone();
    let sending = lend(move || {
        for number in 0..100 {
            assert!(block_on(sender.send(source.make(number))).is_ok());
        }
        assert!(block_on(sender.close()).is_ok());
    });
    for number in 0..100 {
        assert_eq!(receiver.recv().expect("a message was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    sending.join().expect("all messages are sent");
    tally.assert_all_gone();
}
