//! Senders of several messages that wait until the receiver has left.

use super::flavor::{Flavor, Receiver, Sender, send_all_elsewhere};
use crate::{DropCounter, Rng, WakeCounter, effort, poll_closed, spawn, spin};
use pipes::Closing;

/// When a sender that waits sees the close, all that it has sent is received or dropped.
pub fn all_is_dropped_before_the_close_is_seen<F: Flavor<Sender: Closing>>() {
    for seed in 0..effort(100) as u64 {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        let mut random = Rng::with_seed(seed);
        let (sent, received) = (random.u64(..40), random.u64(..20));
        let (source, mut own) = (drops.clone(), Rng::with_seed(!seed));
        let sending = spawn(move || {
            for number in 0..sent {
                spin(own.u64(..30));
                // A send that was refused has seen the close without a wait.
                if sender.send(source.make(number)).is_err() {
                    return;
                }
            }
            sender.wait_closed();
            source.assert_all_dropped();
        });
        spin(random.u64(..300));
        for _ in 0..received.min(sent) {
            drop(receiver.recv().expect("the sender goes on"));
        }
        drop(receiver);
        sending.join().expect("it sees the close in time");
        drops.assert_all_dropped();
    }
}

/// A task waits for the close, sends, and waits for the close again. The close wakes it.
pub fn task_that_sends_between_waits<F: Flavor<Sender: Closing>>() {
    for sends in 0..3 {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, mut receiver) = F::channel();
        for number in 0..sends {
            assert!(!poll_closed(&mut sender, &waker));
            let sending = send_all_elsewhere::<F>(sender, &drops, number..number + 1);
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
