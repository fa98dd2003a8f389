//! What holds for channels inside one process that hold a limited number of
//! messages: a receive makes room at once.

use super::flavor::{Limited, LimitedSender, Receiver, TaskReceiver};
use super::limited::full;
use crate::{DropCounter, Rng, Tasks, WakeCounter, effort, give_way, poll_future};
use futures::executor::block_on;
use futures::future::join;
use std::task::Poll;
use std::time::Duration;

/// A sender and a receiver in one task, and in two tasks of an executor that polls only those that were
/// woken.
pub fn both_sides_in_one_thread<F: Limited<Receiver: TaskReceiver>>() {
    for seed in 0..effort(30) as u64 {
        let (drops, tasks) = (DropCounter::new(), Tasks::new());
        let (mut sender, mut receiver) = F::channel();
        let source = drops.clone();
        let sends = async move {
            let mut random = Rng::with_seed(seed);
            for number in 0..60 {
                give_way(random.u64(..3)).await;
                let mut message = source.make(number);
                message = match random.u64(..4) {
                    0 => message,
                    1 => match sender.send_timeout(message, Duration::ZERO) {
                        Ok(()) => continue,
                        Err(unsent) => unsent.into_message(),
                    },
                    _ => match sender.try_send(message) {
                        Ok(()) => continue,
                        Err(unsent) => unsent.into_message(),
                    },
                };
                assert!(sender.send_async(message).await.is_ok());
            }
        };
        let receives = async move {
            let (mut random, mut next) = (Rng::with_seed(!seed), 0);
            while let Some(message) = receiver.recv_async().await {
                assert_eq!(message.number, next);
                next += 1;
                give_way(random.u64(..3)).await;
            }
            assert_eq!(next, 60);
        };
        match seed % 3 {
            0 => drop(block_on(join(sends, receives))),
            threads => {
                tasks.poll_spuriously(seed);
                tasks.spawn("the sender", sends);
                tasks.spawn("the receiver", receives);
                tasks.run_alone(threads as usize);
            }
        }
        drops.assert_all_dropped();
    }
}

/// A task that waits for room is woken by a receive: its last waker is. The others are dropped.
pub fn task_woken_by_a_receive<F: Limited>() {
    let drops = DropCounter::new();
    let ((first, one), (last, two)) = (WakeCounter::new(), WakeCounter::new());
    let (mut sender, mut receiver) = full::<F>(&drops);
    let mut sending = sender.send_async(drops.make(F::CAPACITY));
    for waker in [&one, &two, &one, &two] {
        assert!(poll_future(&mut sending, waker).is_pending());
    }
    assert_eq!((first.wakers(), last.count()), (1, 0));
    assert_eq!(receiver.recv().expect("it was sent").number, 0);
    assert_eq!((first.count(), last.count()), (0, 1));
    let Poll::Ready(Ok(())) = poll_future(&mut sending, &two) else { panic!("there is room") };
    drop(sending);
    drop((sender, receiver));
    assert_eq!(last.wakers(), 1);
    drops.assert_all_dropped();
}
