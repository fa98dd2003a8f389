//! What holds for channels that hold a limited number of messages.

use super::flavor::{Boxed, Limited, LimitedSender, Receiver, Sender, Unsent, until_closed};
use super::reentrance::{Place, put, take};
use crate::{Counted, DropCounter, Rng, WakeCounter, begun, effort, poll_future, spawn, spin};
use futures::executor::block_on;
use pipes::inspect::{ThreadOrTask, snapshot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{TryRecvError, channel};
use std::task::Poll;
use std::thread::{ThreadId, current};
use std::time::Duration;

/// Fills the channel.
pub(super) fn fill<F: Limited>(sender: &mut F::Sender, drops: &DropCounter) {
    for number in 0..F::CAPACITY {
        assert!(sender.try_send(drops.make(number)).is_ok(), "there is room for {number}");
    }
}

/// A channel that has no room.
pub fn full<F: Limited>(drops: &DropCounter) -> (F::Sender, F::Receiver) {
    let (mut sender, receiver) = F::channel();
    fill::<F>(&mut sender, drops);
    (sender, receiver)
}

/// As many messages fit as its capacity says. Another one comes back.
pub fn capacity<F: Limited>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = full::<F>(&drops);
    for _ in 0..3 {
        let Err(Unsent::Full(message)) = sender.try_send(drops.make(99)) else { panic!("it is full") };
        assert_eq!(message.number, 99);
        let sent = sender.send_timeout(drops.make(98), Duration::from_micros(10));
        let Err(Unsent::Full(message)) = sent else { panic!("it is full") };
        assert_eq!(message.number, 98);
    }
    drop(sender);
    for number in 0..F::CAPACITY {
        assert_eq!(receiver.recv().expect("it was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    drops.assert_all_dropped();
}

/// A full channel that is closed says so.
pub fn full_and_closed<F: Limited>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = full::<F>(&drops);
    drop(receiver);
    until_closed(&sender);
    assert!(matches!(sender.try_send(drops.make(1)), Err(Unsent::Closed(_))));
    assert!(matches!(sender.send_timeout(drops.make(1), Duration::MAX), Err(Unsent::Closed(_))));
    assert!(sender.send(drops.make(1)).is_err());
    drops.assert_all_dropped();
}

/// Returns `true` if the thread sleeps in the library.
fn is_asleep(thread: ThreadId) -> bool {
    snapshot().sleepers.iter().any(|sleeper| sleeper.id == ThreadOrTask::Thread(thread))
}

/// A send that may wait for a while waits until there is room.
pub fn room_before_the_deadline<F: Limited>() {
    for _ in 0..effort(30) {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = full::<F>(&drops);
        let message = drops.make(F::CAPACITY);
        let (tell, told) = channel();
        let sending = spawn(move || {
            tell.send(current().id()).expect("it is received");
            sender.send_timeout(message, Duration::from_secs(3600)).expect("there is room in time");
        });
        let sender = told.recv().expect("it is sent");
        // A send that gives up has ended before there is room, and drops its end of this channel.
        crate::spin_while(|| told.try_recv() == Err(TryRecvError::Empty) && !is_asleep(sender));
        for number in 0..=F::CAPACITY {
            assert_eq!(receiver.recv().expect("a message was sent").number, number);
        }
        sending.join().expect("there was room");
    }
}

/// A task that waits for room is woken by a close, and gets its message back.
pub fn task_woken_by_a_close<F: Limited>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, receiver) = full::<F>(&drops);
    let mut sending = begun(sender.send_async(drops.make(99)), &waker);
    drop(receiver);
    crate::spin_while(|| wakes.count() == 0);
    let Poll::Ready(Err(message)) = poll_future(&mut sending, &waker) else { panic!("it is closed") };
    assert_eq!(message.number, 99);
    drop((sending, message));
    drop(sender);
    drops.assert_all_dropped();
}

/// A send that is cancelled drops its message, and leaves the channel as it was.
pub fn cancelled_send<F: Limited>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = full::<F>(&drops);
    let cancelled = DropCounter::new();
    let sending = begun(sender.send_async(cancelled.make(99)), &waker);
    drop(sending);
    cancelled.assert_all_dropped();
    drop(sender);
    for number in 0..F::CAPACITY {
        assert_eq!(receiver.recv().expect("it was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    drop(receiver);
    assert_eq!(wakes.wakers(), 1);
    drops.assert_all_dropped();
}

/// A waker owns the sender that waits for room: the call that makes room, or that closes, drops the sender.
pub fn sender_owned_by_its_waker<F: Limited>() {
    for way in 0..4 {
        let [receives, elsewhere] = [1, 2].map(|bit| way & bit != 0);
        let (drops, place) = (DropCounter::new(), Place::default());
        let (mut sender, mut receiver) = full::<F>(&drops);
        let message = drops.make(99);
        let mut task: Boxed<'static, _> = Box::pin(async move { sender.send_async(message).await.is_ok() });
        let own = place.clone();
        let waker = WakeCounter::on_wake(move || drop(take::<Boxed<'static, bool>>(&own))).1;
        assert!(poll_future(&mut task, &waker).is_pending());
        put(&place, task);
        drop((place, waker));
        let step = move || {
            if receives {
                assert!(receiver.recv().is_some());
            }
            drop(receiver);
        };
        if elsewhere {
            spawn(step).join().expect("it does not panic")
        } else {
            step()
        }
        drops.assert_all_dropped();
    }
}

/// Sends a message in one of several ways. Returns whether it was sent.
pub(super) fn send_somehow(sender: &mut impl LimitedSender, message: Counted, random: &mut Rng) -> bool {
    match random.u64(..4) {
        0 => sender.send(message).is_ok(),
        1 => sender.try_send(message).is_ok(),
        2 => sender.send_timeout(message, Duration::from_nanos(random.u64(..20_000))).is_ok(),
        _ => block_on(sender.send_async(message)).is_ok(),
    }
}

/// Every kind of send, by turns: what was sent arrives in order, and nothing else does. There is never more
/// on its way than there is room for.
pub fn every_kind_of_send<F: Limited>() {
    const MESSAGES: u64 = if cfg!(miri) { 20 } else { 100 };
    for seed in 0..effort(20) as u64 {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        let (source, begun) = (drops.clone(), Arc::new(AtomicU64::new(0)));
        let receives = begun.clone();
        let sending = spawn(move || {
            let (mut random, mut sent) = (Rng::with_seed(seed), Vec::new());
            for number in 0..MESSAGES {
                if send_somehow(&mut sender, source.make(number), &mut random) {
                    sent.push(number);
                    let most = receives.load(Ordering::SeqCst) + F::CAPACITY;
                    assert!(sent.len() as u64 <= most, "{} of {most} messages", sent.len());
                }
            }
            sent
        });
        let mut random = Rng::with_seed(!seed);
        let received = std::iter::from_fn(|| {
            spin(random.u64(..300));
            begun.fetch_add(1, Ordering::SeqCst);
            receiver.recv().map(|message| message.number)
        });
        let received: Vec<_> = received.collect();
        assert_eq!(received, sending.join().expect("the receiver is here"));
        drops.assert_all_dropped();
    }
}

/// The receiver leaves in the middle, maybe while a send waits. No more messages are lost than there was
/// room for.
pub fn receiver_leaves_in_the_middle<F: Limited>() {
    for seed in 0..effort(50) as u64 {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        let source = drops.clone();
        let sending = spawn(move || {
            let (mut random, mut sent) = (Rng::with_seed(seed), 0);
            while !sender.is_closed() {
                sent += u64::from(send_somehow(&mut sender, source.make(sent), &mut random));
            }
            assert!(sender.send(source.make(0)).is_err(), "it stays closed");
            sent
        });
        let count = Rng::with_seed(!seed).u64(..60);
        for number in 0..count {
            assert_eq!(receiver.recv().expect("the sender goes on").number, number);
        }
        drop(receiver);
        let lost = sending.join().expect("the sender ends") - count;
        assert!(lost <= F::CAPACITY.max(1), "{lost} messages were sent and not received");
        drops.assert_all_dropped();
    }
}
