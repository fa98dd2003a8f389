//! What holds for channels that carry many messages, each of which is received before the next one is sent.

use super::flavor::{Flavor, Missing, Receiver, TaskReceiver, send_elsewhere};
use crate::{DropCounter, WakeCounter, poll_future, spin_while};
use std::task::Poll;
use std::time::Duration;

/// Each message wakes the task that waits for it once, also if a thread has waited in between.
pub fn woken_once_for_each_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    for round in 1..=100 {
        assert_eq!(receiver.recv_timeout(Duration::from_nanos(1)).unwrap_err(), Missing::Empty);
        let mut receiving = receiver.recv_async();
        assert!(poll_future(&mut receiving, &waker).is_pending());
        let sending = send_elsewhere::<F>(sender, &drops);
        spin_while(|| wakes.count() < round);
        let mut polled = poll_future(&mut receiving, &waker);
        if polled.is_pending() {
            // A task gives way to others now and then.
            polled = poll_future(&mut receiving, &waker);
        }
        let Poll::Ready(Some(message)) = polled else { panic!("it was woken") };
        assert_eq!(message.number, 1);
        sender = sending.join().expect("the message was sent");
    }
    drop((sender, receiver));
    assert_eq!(wakes.wakers(), 1);
    drops.assert_all_dropped();
}
