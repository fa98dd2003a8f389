//! What holds for channels that hold a few messages.

use super::flavor::{Limited, LimitedSender, Receiver, TaskReceiver, Unsent};
use super::limited::fill;
use super::reentrance::{Place, put, take};
use crate::{Bell, Tally, poll_future};
use std::task::Poll;

/// A receive makes room for one message, again and again.
pub fn every_receive_makes_room<F: Limited>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    fill::<F>(&mut sender, &tally);
    for number in 0..200 {
        assert_eq!(receiver.recv().expect("it was sent").number, number);
        assert!(sender.try_send(tally.make(number + F::CAPACITY)).is_ok());
        assert!(matches!(sender.try_send(tally.make(0)), Err(Unsent::Full(_))));
    }
    drop((sender, receiver));
    tally.assert_all_gone();
}

/// A task that waits for room is woken by a receive.
pub fn task_woken_by_a_receive<F: Limited<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (mut sender, mut receiver) = F::channel();
    fill::<F>(&mut sender, &tally);
    let mut sending = sender.send_async(tally.make(F::CAPACITY));
    assert!(poll_future(&mut sending, &waker).is_pending());
    assert_eq!(bell.rings(), 0);
    assert_eq!(receiver.recv().expect("it was sent").number, 0);
    assert_eq!(bell.rings(), 1);
    let Poll::Ready(Ok(())) = poll_future(&mut sending, &waker) else { panic!("there is room") };
    drop(sending);
    drop((sender, receiver));
    assert_eq!(bell.wakers(), 1);
    tally.assert_all_gone();
}

/// The destructor of an unread message sends where there is room, while the receiver leaves.
pub fn unread_message_sends<F: Limited>() {
    let (tally, place) = (Tally::new(), Place::default());
    let (mut sender, receiver) = F::channel();
    let (own, source) = (place.clone(), tally.clone());
    let first = tally.make_that(0, move || {
        let mut sender: F::Sender = take(&own).expect("it is there");
        (0..100).for_each(|number| drop(sender.try_send(source.make(number))));
    });
    assert!(sender.try_send(first).is_ok());
    while sender.try_send(tally.make(1)).is_ok() {}
    put(&place, sender);
    drop(receiver);
    tally.assert_all_gone();
}
