//! Bounded channels whose senders are sinks: tasks that wait for room.

use super::flavor::{Limited, LimitedSender, Receiver, TaskReceiver};
use crate::{Counted, DropCounter, Rng, Tasks, WakeCounter, effort, give_way};
use futures::future::{Either, select};
use futures::sink::Sink;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// A task that waits for room with `poll_ready` is woken by a receive, also if it has tried to send
/// meanwhile.
pub fn look_after_a_poll<F: Limited<Sender: Sink<Counted> + Unpin>>() {
    for look in 0..2 {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let mut cx = Context::from_waker(&waker);
        let (mut sender, mut receiver) = F::channel();
        let mut sent = 0;
        while let Poll::Ready(ready) = Pin::new(&mut sender).poll_ready(&mut cx) {
            assert!(ready.is_ok());
            assert!(Pin::new(&mut sender).start_send(drops.make(sent)).is_ok());
            sent += 1;
        }
        let tried = match look {
            0 => sender.try_send(drops.make(100)),
            _ => sender.send_timeout(drops.make(100), Duration::ZERO),
        };
        drop(tried.expect_err("it is full"));
        assert_eq!(receiver.recv().expect("it was sent").number, 0);
        assert!(wakes.count() > 0);
        assert!(Pin::new(&mut sender).poll_ready(&mut cx).is_ready());
        drop((sender, receiver));
        drops.assert_all_dropped();
    }
}

/// Sends are given up again and again, and many receives, too. What was certainly sent arrives once, in
/// order.
pub fn sends_that_are_given_up<F: Limited<Sender: Sink<Counted> + Unpin, Receiver: TaskReceiver>>() {
    for seed in 0..effort(30) as u64 {
        let (drops, tasks) = (DropCounter::new(), Tasks::new());
        let (mut sender, mut receiver) = F::channel();
        let source = drops.clone();
        let (sent, all_sent) = std::sync::mpsc::channel();
        tasks.spawn("the sender", async move {
            let mut random = Rng::with_seed(seed);
            for number in 0..60 {
                let timer = Box::pin(give_way(random.u64(..4)));
                if let Either::Left((result, _)) = select(sender.send_async(source.make(number)), timer).await
                {
                    assert!(result.is_ok());
                    sent.send(number).expect("it is kept");
                }
            }
        });
        let (received, all_received) = std::sync::mpsc::channel();
        tasks.spawn("the receiver", async move {
            let mut random = Rng::with_seed(!seed);
            loop {
                let timer = Box::pin(give_way(random.u64(..4)));
                match select(receiver.recv_async(), timer).await {
                    Either::Left((Some(message), _)) => received.send(message.number).expect("it is kept"),
                    Either::Left((None, _)) => break,
                    Either::Right(_) => {}
                }
            }
        });
        tasks.run_alone(1 + seed as usize % 2);
        let received: Vec<_> = all_received.iter().collect();
        assert!(received.is_sorted_by(|one, next| one < next));
        assert!(all_sent.iter().all(|number| received.contains(&number)));
        drops.assert_all_dropped();
    }
}

/// One task waits for room, while others send and receive without waiting. It is woken when there is room, or
/// when the receiver leaves.
pub fn woken_by_each_way_to_make_room<F: Limited<Sender: Sink<Counted> + Unpin, Receiver: TaskReceiver>>() {
    for seed in 0..effort(500) as u64 {
        let (drops, mut random) = (DropCounter::new(), Rng::with_seed(seed));
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, receiver) = F::channel();
        // The number of wakes at the last poll, if that was pending; and the number of unread messages.
        let (mut since, mut unread, mut receiver) = (None, 0, Some(receiver));
        for _ in 0..40 {
            match random.u64(..6) {
                0 | 1 => unread += u64::from(sender.try_send(drops.make(1)).is_ok()),
                2 | 3 => {
                    let received = receiver.as_mut().map(Receiver::try_recv);
                    unread -= u64::from(received.is_some_and(|received| received.is_ok()));
                }
                4 if random.u64(..8) == 0 => drop(receiver.take()),
                _ => {
                    let polled = Pin::new(&mut sender).poll_ready(&mut Context::from_waker(&waker));
                    since = polled.is_pending().then(|| wakes.count());
                }
            }
            let can_go_on = unread < F::CAPACITY || receiver.is_none();
            assert!(!can_go_on || since != Some(wakes.count()), "program {seed}: it sleeps");
        }
    }
}
