//! What holds for channels inside one process: a message is there when its send returns. Wakers may call back
//! into the library meanwhile.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver};
use super::reentrance::task;
use crate::{DropCounter, WakeCounter, caught, panics, poll_future};
use std::task::{Poll, Waker};
use std::time::Duration;

/// A message is there when its send returns, also for a receive that has no time.
pub fn there_at_once<F: Flavor>() {
    let drops = DropCounter::new();
    for timeout in [None, Some(Duration::ZERO), Some(Duration::MAX)] {
        let (mut sender, mut receiver) = F::channel();
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
        assert!(sender.send(drops.make(1)).is_ok());
        let received = match timeout {
            None => receiver.try_recv(),
            Some(timeout) => receiver.recv_timeout(timeout),
        };
        let message = received.expect("it was sent");
        drop(sender);
        assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Closed);
        drop(receiver);
        assert_eq!(drops.made() - drops.dropped(), 1, "its receiver owns a message");
        assert_eq!(message.number, 1);
    }
    drops.assert_all_dropped();
}

/// A waker that panics does not lose the message, and the sender is still good.
pub fn waker_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (_wakes, waker) = WakeCounter::on_wake(panics);
    let (mut sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    assert!(caught(|| sender.send(drops.make(1))).is_some());
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, Waker::noop()) else {
        panic!("the message was sent before the waker was called")
    };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(sender);
    assert!(receiver.recv().is_none());
    drops.assert_all_dropped();
}

/// Each message owns both ends of the next channel, in which the next message lies.
pub fn nested_channels<F: Flavor>() {
    let drops = DropCounter::new();
    let mut message = drops.make(0);
    for number in 1..if cfg!(miri) { 10 } else { 100 } {
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(message).is_ok());
        message = if number % 2 == 0 {
            drops.make_with(number, move || drop((sender, receiver)))
        } else {
            drops.make_with(number, move || drop((receiver, sender)))
        };
    }
    drop(message);
    drops.assert_all_dropped();
}

/// A waker that is replaced sends in its destructor. The receiver finds the message or is woken.
pub fn replaced_waker_sends<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let message = drops.make(1);
    let first = WakeCounter::on_drop(move || assert!(sender.send(message).is_ok()));
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &first).is_pending());
    drop(first);
    let (wakes, second) = WakeCounter::new();
    let mut polled = poll_future(&mut receiving, &second);
    if polled.is_pending() {
        assert_eq!(wakes.count(), 1);
        polled = poll_future(&mut receiving, &second);
    }
    let Poll::Ready(Some(message)) = polled else { panic!("a message was sent") };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(receiver);
    drops.assert_all_dropped();
}

/// A waker sends in its destructor while its receiver leaves. The message is dropped or comes back.
pub fn waker_sends_to_a_receiver_that_leaves<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let message = drops.make(1);
    let waker = WakeCounter::on_drop(move || drop(sender.send(message)));
    let mut task = task::<F>(receiver);
    assert!(poll_future(&mut task, &waker).is_pending());
    drop(waker);
    drop(task);
    drops.assert_all_dropped();
}
