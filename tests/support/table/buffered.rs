//! What holds for channels that hold a few messages.

use super::flavor::{Limited, LimitedSender, Receiver, TaskReceiver, Unsent};
use super::limited::full;
use super::reentrance::{Place, put, take};
use crate::DropCounter;
use futures::executor::block_on;
use std::time::Duration;

/// Every kind of receive makes room for one message, again and again.
pub fn every_receive_makes_room<F: Limited<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = full::<F>(&drops);
    for number in 0..200 {
        let received = match number % 4 {
            0 => receiver.recv(),
            1 => receiver.try_recv().ok(),
            2 => receiver.recv_timeout(Duration::MAX).ok(),
            _ => block_on(receiver.recv_async()),
        };
        assert_eq!(received.expect("it was sent").number, number);
        assert!(sender.try_send(drops.make(number + F::CAPACITY)).is_ok());
        assert!(matches!(sender.try_send(drops.make(0)), Err(Unsent::Full(_))));
    }
    drop((sender, receiver));
    drops.assert_all_dropped();
}

/// The destructor of an unread message sends where there is room, while the receiver leaves.
pub fn unread_message_sends<F: Limited>() {
    let (drops, place) = (DropCounter::new(), Place::default());
    let (mut sender, receiver) = F::channel();
    let (own, source) = (place.clone(), drops.clone());
    let first = drops.make_with(0, move || {
        let mut sender: F::Sender = take(&own).expect("it is there");
        (0..100).for_each(|number| drop(sender.try_send(source.make(number))));
    });
    assert!(sender.try_send(first).is_ok());
    while sender.try_send(drops.make(1)).is_ok() {}
    put(&place, sender);
    drop(receiver);
    drops.assert_all_dropped();
}
