//! Receives whose futures are forgotten, of kinds whose receiver itself keeps that it waits.

use super::flavor::{Flavor, Receiver, TaskReceiver, send_elsewhere};
use crate::{DropCounter, WakeCounter, begun};

/// A future that is forgotten keeps nothing from being received.
pub fn forgotten<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (_bell, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let receiving = begun(receiver.recv_async(), &waker);
    std::mem::forget(receiving);
    let sending = send_elsewhere::<F>(sender, &drops);
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    sending.join().expect("the message was sent");
    drops.assert_all_dropped();
}

/// The sender leaves while the receiver drops the task that it replaces, which uses up the thread's wake-up.
pub fn wake_up_that_is_used_up<F: Flavor<Receiver: TaskReceiver>>() {
    let (sender, mut receiver) = F::channel();
    let waker = WakeCounter::on_drop_elsewhere(move || drop(sender));
    let receiving = begun(receiver.recv_async(), &waker);
    std::mem::forget(receiving);
    drop(waker);
    assert!(receiver.recv().is_none());
}
