//! Destructors of messages and wakers that call back into the library, in the call that drops them. None of
//! them waits for the receiver.

use super::flavor::{Flavor, Sender, TaskReceiver};
use super::reentrance::{Place, put, take, task};
use crate::{Bell, Tally, poll_future};
use std::task::Poll;

/// The destructor drops the sender while the receiver leaves.
pub fn drops_the_sender<F: Flavor>() {
    let (tally, place) = (Tally::new(), Place::default());
    let (mut sender, receiver) = F::channel();
    let own = place.clone();
    let message = tally.make_that(1, move || drop(take::<F::Sender>(&own)));
    assert!(sender.send(message).is_ok());
    put(&place, sender);
    drop(receiver);
    assert!(take(&place).is_none());
    tally.assert_all_gone();
}

/// Each message owns both ends of the next channel, in which the next message lies.
pub fn nested_channels<F: Flavor>() {
    let tally = Tally::new();
    let mut message = tally.make(0);
    for number in 1..if cfg!(miri) { 10 } else { 100 } {
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(message).is_ok());
        message = if number % 2 == 0 {
            tally.make_that(number, move || drop((sender, receiver)))
        } else {
            tally.make_that(number, move || drop((receiver, sender)))
        };
    }
    drop(message);
    tally.assert_all_gone();
}

/// A waker that is replaced sends in its destructor. The receiver finds the message or is woken.
pub fn replaced_waker_sends<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let message = tally.make(1);
    let first = Bell::at_last(move || assert!(sender.send(message).is_ok()));
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &first).is_pending());
    drop(first);
    let (bell, second) = Bell::new();
    let mut polled = poll_future(&mut receiving, &second);
    if polled.is_pending() {
        assert_eq!(bell.rings(), 1);
        polled = poll_future(&mut receiving, &second);
    }
    let Poll::Ready(Some(message)) = polled else { panic!("a message was sent") };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(receiver);
    tally.assert_all_gone();
}

/// A waker sends in its destructor while its receiver leaves. The message is dropped or comes back.
pub fn waker_sends_to_a_receiver_that_leaves<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    let message = tally.make(1);
    let waker = Bell::at_last(move || drop(sender.send(message)));
    let mut task = task::<F>(receiver);
    assert!(poll_future(&mut task, &waker).is_pending());
    drop(waker);
    drop(task);
    tally.assert_all_gone();
}
