//! Receives that are cancelled, of kinds whose receive borrows the receiver: nothing is lost.

use super::flavor::{Flavor, Receiver, TaskReceiver, send_elsewhere};
use crate::{DropCounter, WakeCounter, caught, panics, poll_future};
use std::task::Poll;

/// A receive that is cancelled after it was woken leaves the message for the next one.
pub fn after_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| wakes.count() == 0);
    drop(receiving);
    drop(receiver.recv_async());
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    sending.join().expect("the message was sent");
    drops.assert_all_dropped();
}

/// A waker whose destructor panics when it is replaced: the next receive gets the message.
pub fn replaced_waker_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let first = WakeCounter::on_drop(panics);
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &first).is_pending());
    drop(first);
    assert!(caught(|| poll_future(&mut receiving, &waker)).is_some());
    drop(receiving);
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| wakes.count() == 0);
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, &waker) else { panic!("it was woken") };
    assert_eq!(message.number, 1);
    sending.join().expect("the message was sent");
}
