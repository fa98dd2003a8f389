//! Receivers that can be asked whether a receive would block.

use super::flavor::{Flavor, Receiver, Sender};
use crate::{Tally, lend, poll};
use pipes::Readiness;
use std::task::Waker;

/// A message makes the receiver ready, and a close makes it closed.
pub fn message_and_close<F: Flavor<Receiver: Readiness>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    assert!(!receiver.is_ready() && !receiver.is_closed() && receiver.would_block());
    assert!(poll(&mut receiver, Waker::noop()).is_pending());
    let message = tally.make(1);
    let sending = lend(move || assert!(sender.send(message).is_ok()));
    assert!(receiver.wait(None));
    assert!(receiver.is_ready() && !receiver.would_block());
    assert!(poll(&mut receiver, Waker::noop()).is_ready());
    assert_eq!(receiver.recv().expect("it is ready").number, 1);
    sending.join().expect("the message was sent");
    assert!(receiver.wait(None));
    assert!(receiver.is_closed() && !receiver.is_ready() && !receiver.would_block());
}
