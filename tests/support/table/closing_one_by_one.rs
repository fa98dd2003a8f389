//! Senders that wait until the receiver has left, and whose messages are received one by one.

use super::flavor::{Flavor, Receiver, Sender};
use crate::{DropCounter, WakeCounter, poll_closed, spawn};
use pipes::Closing;

/// A task waits for the close, sends, and waits for the close again. The close wakes it.
pub fn task_that_sends_between_waits<F: Flavor<Sender: Closing>>() {
    for sends in 0..3 {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, mut receiver) = F::channel();
        for number in 0..sends {
            assert!(!poll_closed(&mut sender, &waker));
            let message = drops.make(number);
            let sending = spawn(move || {
                assert!(sender.send(message).is_ok());
                sender
            });
            assert_eq!(receiver.recv().expect("it was sent").number, number);
            sender = sending.join().expect("it was sent");
        }
        assert!(!poll_closed(&mut sender, &waker));
        let before = wakes.count();
        drop(receiver);
        assert!(wakes.count() > before);
        assert!(poll_closed(&mut sender, &waker));
    }
}
