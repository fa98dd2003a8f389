//! What holds for channels that carry many messages, all of which arrive; or, in `one_by_one`, if each is
//! received before the next one is sent.

use super::flavor::{
    Flavor, Missing, Receiver, Sender, TaskReceiver, pauses, send_and_close, send_elsewhere, until_closed,
};
use crate::{DropCounter, Rng, WakeCounter, begun, effort, poll_future, spawn};
use futures::executor::block_on;
use std::task::Poll;
use std::time::Duration;

/// The number of messages: several blocks of an unbounded channel.
const MESSAGES: u64 = 500;

/// All messages arrive once, in their order.
pub fn order<F: Flavor>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let sending = send_and_close::<F>(sender, &drops, 0..MESSAGES, || ());
    for number in 0..MESSAGES {
        assert_eq!(receiver.recv().expect("a message was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    sending.join().expect("all messages are sent");
    drops.assert_all_dropped();
}

/// All messages arrive at a receiver that polls, waits for a while, blocks or is a task, by turns.
pub fn every_kind_of_receive<F: Flavor<Receiver: TaskReceiver>>() {
    // Under Miri once, with more messages than a block has slots.
    const COUNT: u64 = if cfg!(miri) { 45 } else { 100 };
    for seed in 0..if cfg!(miri) { 1 } else { effort(20) as u64 } {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        let sending = send_and_close::<F>(sender, &drops, 0..COUNT, pauses(seed, 100));
        let (mut random, mut next) = (Rng::with_seed(!seed), 0);
        loop {
            let message = match random.u64(..4) {
                0 => receiver.try_recv(),
                1 => receiver.recv_timeout(Duration::from_nanos(random.u64(..100_000))),
                2 => block_on(receiver.recv_async()).ok_or(Missing::Closed),
                _ => receiver.recv().ok_or(Missing::Closed),
            };
            match message {
                Ok(message) => {
                    assert_eq!(message.number, next);
                    next += 1;
                }
                Err(Missing::Empty) => std::thread::yield_now(),
                Err(Missing::Closed) => break,
            }
        }
        assert_eq!(next, COUNT);
        sending.join().expect("all messages are sent");
        drops.assert_all_dropped();
    }
}

/// Each message wakes the task that waits for it once, also if a thread has waited in between.
pub fn woken_once_for_each_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    for round in 1..=100 {
        assert_eq!(receiver.recv_timeout(Duration::from_nanos(1)).unwrap_err(), Missing::Empty);
        let mut receiving = begun(receiver.recv_async(), &waker);
        let sending = send_elsewhere::<F>(sender, &drops);
        crate::spin_while(|| wakes.count() < round);
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

/// The receiver leaves after any number of messages, of which it has received some.
pub fn receiver_leaves_after_any_number<F: Flavor>() {
    for sent in 0..if cfg!(miri) { 40 } else { 150 } {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        let source = drops.clone();
        let sending = spawn(move || {
            for number in 0..sent {
                if sender.send(source.make(number)).is_err() {
                    break;
                }
            }
            sender
        });
        for number in 0..sent / 2 {
            assert_eq!(receiver.recv().expect("it is sent").number, number);
        }
        drop(receiver);
        let mut sender = sending.join().expect("a send returns");
        until_closed(&sender);
        for number in 0..3 {
            assert_eq!(sender.send(drops.make(number)).unwrap_err().number, number);
            assert!(sender.is_closed());
        }
        drops.assert_all_dropped();
    }
}
