//! What holds for channels inside one process: a message is there when its send returns, and the end that
//! leaves drops what is unread.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver};
use crate::{Bell, Tally, caught, poll_future};
use std::task::{Poll, Waker};

/// A message is there when its send returns.
pub fn there_at_once<F: Flavor>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
    assert!(sender.send(tally.make(1)).is_ok());
    assert_eq!(receiver.try_recv().expect("it was sent").number, 1);
    assert_eq!(tally.gone(), 1, "its receiver owns a message");
    drop(sender);
    assert_eq!(receiver.try_recv().unwrap_err(), Missing::Closed);
}

/// A receiver that leaves drops an unread message at once.
pub fn unread_message_is_dropped_at_once<F: Flavor>() {
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    assert!(sender.send(tally.make(1)).is_ok());
    drop(receiver);
    tally.assert_all_gone();
    assert!(sender.is_closed());
}

/// The destructor of an unread message panics. The channel closes all the same.
pub fn destructor_that_panics<F: Flavor>() {
    for sender_first in [true, false] {
        let tally = Tally::new();
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(tally.make_bomb(5)).is_ok());
        let panic = if sender_first {
            drop(sender);
            caught(|| drop(receiver))
        } else {
            let panic = caught(|| drop(receiver));
            assert!(sender.is_closed());
            drop(sender);
            panic
        };
        assert_eq!(panic.expect("the panic is not swallowed").downcast_ref(), Some(&5_u64));
        tally.assert_all_gone();
    }
}

/// A waker that panics does not lose the message, and the sender is still good.
pub fn waker_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
    let (mut sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    assert!(caught(|| sender.send(tally.make(1))).is_some());
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, Waker::noop()) else {
        panic!("the message was sent before the waker was called")
    };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(sender);
    assert!(receiver.recv().is_none());
    tally.assert_all_gone();
}
