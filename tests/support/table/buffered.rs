//! What holds for channels that hold a few messages.

use super::flavor::{Limited, LimitedSender, Receiver, TaskReceiver, Unsent};
use super::limited::fill;
use super::reentrance::{Place, put, take};
use crate::Tally;
use futures::executor::block_on;
use std::time::Duration;

/// Every kind of receive makes room for one message, again and again.
pub fn every_receive_makes_room<F: Limited<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    fill::<F>(&mut sender, &tally);
    for number in 0..200 {
        let received = match number % 4 {
            0 => receiver.recv(),
            1 => receiver.try_recv().ok(),
            2 => receiver.recv_timeout(Duration::MAX).ok(),
            _ => block_on(receiver.recv_async()),
        };
        assert_eq!(received.expect("it was sent").number, number);
        assert!(sender.try_send(tally.make(number + F::CAPACITY)).is_ok());
        assert!(matches!(sender.try_send(tally.make(0)), Err(Unsent::Full(_))));
    }
    drop((sender, receiver));
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
