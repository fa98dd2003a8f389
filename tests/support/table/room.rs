//! What holds for channels in which a message can lie unread: a send does not wait for its receiver.

use super::flavor::{Flavor, Receiver, Sender};
use crate::{DropCounter, caught, effort, panics, spawn};

/// A message that was sent before the close arrives after it.
pub fn message_before_the_close<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    assert!(sender.send(drops.make(1)).is_ok());
    drop(sender);
    assert_eq!(receiver.recv().expect("it was sent before").number, 1);
    assert!(receiver.recv().is_none());
    drops.assert_all_dropped();
}

/// An unread message is dropped once, by whichever end leaves last.
pub fn unread_message<F: Flavor>() {
    for sender_first in [true, false] {
        let drops = DropCounter::new();
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(drops.make(1)).is_ok());
        if sender_first {
            drop(sender);
            drop(receiver);
        } else {
            drop(receiver);
            drop(sender);
        }
        drops.assert_all_dropped();
    }
}

/// An unread message is dropped once, also if both ends leave at the same moment.
pub fn unread_message_when_both_leave<F: Flavor>() {
    for _ in 0..effort(50) {
        let drops = DropCounter::new();
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(drops.make(1)).is_ok());
        let leaving = spawn(move || drop(sender));
        drop(receiver);
        leaving.join().expect("it does not panic");
        drops.assert_all_dropped();
    }
}

/// An unread message is dropped while its receiver's thread panics.
pub fn unread_message_of_a_panicking_thread<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    assert!(sender.send(drops.make(1)).is_ok());
    let panic = caught(move || {
        let _receiver = receiver;
        panics();
    });
    assert!(panic.is_some());
    drop(sender);
    drops.assert_all_dropped();
}
