//! Receives that are cancelled, of kinds whose receive borrows the receiver: nothing is lost.

use super::flavor::{Flavor, Missing, Receiver, TaskReceiver, pauses, send_and_close, send_elsewhere};
use crate::{
    DropCounter, Rng, Tasks, WakeCounter, begun, caught, effort, give_way, panics, poll_future, spawn,
};
use futures::executor::block_on;
use futures::future::{Either, select};
use std::task::{Poll, Waker};
use std::time::Duration;

/// A receive that is cancelled after it was woken leaves the message for the next one.
pub fn after_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let receiving = begun(receiver.recv_async(), &waker);
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| wakes.count() == 0);
    drop(receiving);
    drop(receiver.recv_async());
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    sending.join().expect("the message was sent");
    drops.assert_all_dropped();
}

/// A task gives up its receives again and again, as with a timer. Nothing is lost, and the close arrives.
pub fn again_and_again<F: Flavor<Receiver: TaskReceiver>>() {
    for seed in 0..effort(20) as u64 {
        let (drops, tasks) = (DropCounter::new(), Tasks::new());
        let (sender, mut receiver) = F::channel();
        let sending = send_and_close::<F>(sender, &drops, 0..MANY, pauses(seed, 200));
        tasks.spawn("the receiver", async move {
            let (mut random, mut next) = (Rng::with_seed(!seed), 0);
            loop {
                let timer = Box::pin(give_way(random.u64(..3)));
                match select(receiver.recv_async(), timer).await {
                    Either::Left((Some(message), _)) => {
                        assert_eq!(message.number, next);
                        next += 1;
                    }
                    Either::Left((None, _)) => break,
                    Either::Right(_) => std::thread::yield_now(),
                }
            }
            assert_eq!(next, MANY);
        });
        tasks.run();
        sending.join().expect("all messages are sent");
        drops.assert_all_dropped();
    }
}

/// One thread after the other receives some messages, in every way. Many receives are given up.
pub fn every_kind_of_receive_in_turns<F: Flavor<Receiver: TaskReceiver>>() {
    for seed in 0..effort(10) as u64 {
        let drops = DropCounter::new();
        let (sender, receiver) = F::channel();
        let sending = send_and_close::<F>(sender, &drops, 0..MANY, pauses(seed, 200));
        let (mut receiver, mut next) = (receiver, 0);
        for turn in 1.. {
            let receiving = spawn(move || {
                let mut random = Rng::with_seed(seed << 32 | turn);
                for _ in 0..random.u64(..20) {
                    let message = receive_somehow(&mut receiver, &mut random);
                    assert_eq!(message.map(|message| message.number), (next < MANY).then_some(next));
                    next += 1;
                }
                (receiver, next)
            });
            (receiver, next) = receiving.join().expect("nothing is lost");
            if next > MANY {
                break;
            }
        }
        sending.join().expect("all messages are sent");
        drops.assert_all_dropped();
    }
}

/// The number of messages that one sender sends.
const MANY: u64 = 150;

/// Receives the next message, after receives that were given up. Returns `None` at the end.
fn receive_somehow(receiver: &mut impl TaskReceiver, random: &mut Rng) -> Option<crate::Counted> {
    loop {
        let received = match random.u64(..6) {
            0 => receiver.recv_timeout(Duration::from_nanos(random.u64(..5_000))),
            1 => receiver.try_recv(),
            2 => return receiver.recv(),
            3 => return block_on(receiver.recv_async()),
            _ => match poll_future(&mut receiver.recv_async(), Waker::noop()) {
                Poll::Ready(message) => return message,
                Poll::Pending => Err(Missing::Empty),
            },
        };
        match received {
            Ok(message) => return Some(message),
            Err(Missing::Closed) => return None,
            Err(Missing::Empty) => std::thread::yield_now(),
        }
    }
}

/// A waker whose destructor panics when it is replaced: the next receive gets the message.
pub fn replaced_waker_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let first = WakeCounter::on_drop(panics);
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &first);
    drop(first);
    assert!(caught(|| poll_future(&mut receiving, &waker)).is_some());
    drop(receiving);
    let mut receiving = begun(receiver.recv_async(), &waker);
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| wakes.count() == 0);
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, &waker) else { panic!("it was woken") };
    assert_eq!(message.number, 1);
    sending.join().expect("the message was sent");
}
