//! Receives that consume their receiver: a receive that is cancelled closes it.

use super::flavor::{Flavor, Sender, TaskReceiver, until_closed};
use crate::{DropCounter, WakeCounter, begun};

/// A receive that was cancelled has closed the channel. The message comes back.
pub fn cancelled_before_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let receiving = begun(receiver.recv_async(), &waker);
    drop(receiving);
    assert_eq!(wakes.wakers(), 1);
    until_closed(&sender);
    assert_eq!(sender.send(drops.make(1)).unwrap_err().number, 1);
    drops.assert_all_dropped();
}

/// A receive that was woken and then cancelled drops its message.
pub fn cancelled_after_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let receiving = begun(receiver.recv_async(), &waker);
    assert!(sender.send(drops.make(1)).is_ok());
    crate::spin_while(|| wakes.count() == 0);
    drop(receiving);
    until_closed(&sender);
    drop(sender);
    assert_eq!(wakes.wakers(), 1);
    drops.assert_all_dropped();
}

/// A receive that was never polled closes the channel, and drops what is unread.
pub fn cancelled_before_the_first_poll<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    assert!(sender.send(drops.make(1)).is_ok());
    drop(receiver.recv_async());
    until_closed(&sender);
    drop(sender);
    drops.assert_all_dropped();
}
