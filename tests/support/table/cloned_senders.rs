//! Senders that can be cloned.

use super::flavor::{Flavor, Receiver, Sender};
use super::reentrance::at_the_end_of_a_thread;
use crate::{DropCounter, WakeCounter, caught, panics, poll_closed, spawn};
use pipes::Closing;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Messages of several senders arrive once, those of each sender in order.
pub fn messages_of_several<F: Flavor<Sender: Clone>>() {
    const SENDERS: u64 = 4;
    const EACH: u64 = if cfg!(miri) { 20 } else { 100 };
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let sending: Vec<_> = (0..SENDERS)
        .map(|own| {
            let (mut sender, source) = (sender.clone(), drops.clone());
            spawn(move || {
                (0..EACH).for_each(|number| assert!(sender.send(source.make(own * EACH + number)).is_ok()))
            })
        })
        .collect();
    drop(sender);
    let mut next = [0; SENDERS as usize];
    while let Some(message) = receiver.recv() {
        let own = (message.number / EACH) as usize;
        assert_eq!(message.number % EACH, next[own]);
        next[own] += 1;
    }
    assert_eq!(next, [EACH; SENDERS as usize]);
    sending.into_iter().for_each(|sending| sending.join().expect("all messages are sent"));
    drops.assert_all_dropped();
}

/// The channel closes when the last sender leaves.
pub fn last_one_closes<F: Flavor<Sender: Clone>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut other = sender.clone();
    drop(sender);
    let message = drops.make(1);
    let sending = spawn(move || assert!(other.send(message).is_ok()));
    assert_eq!(receiver.recv().expect("a sender is left").number, 1);
    assert!(receiver.recv().is_none());
    sending.join().expect("the message was sent");
}

/// Threads send before they end and in the destructors of their locals, when they may have given back what
/// the library keeps for a thread that sends.
pub fn threads_that_end<F: Flavor<Sender: Clone + Sync>>() {
    const EACH: u64 = if cfg!(miri) { 5 } else { 100 };
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let sending: Vec<_> = (0..4)
        .map(|_| {
            let (sender, source, sent) = (sender.clone(), drops.clone(), Arc::new(AtomicU64::new(0)));
            spawn(move || {
                at_the_end_of_a_thread(move || {
                    let mut sender = sender.clone();
                    let begin = sent.fetch_add(EACH, Ordering::Relaxed);
                    (begin..begin + EACH).for_each(|it| assert!(sender.send(source.make(it)).is_ok()));
                });
            })
        })
        .collect();
    drop(sender);
    let mut sum = 0;
    while let Some(message) = receiver.recv() {
        sum += message.number;
    }
    assert_eq!(sum, 4 * (0..3 * EACH).sum::<u64>());
    sending.into_iter().for_each(|sending| sending.join().expect("all messages are sent"));
    drops.assert_all_dropped();
}

/// A close wakes all senders that wait for it, although two of their wakers panic.
pub fn two_wakers_panic_at_a_close<F: Flavor<Sender: Clone + Closing>>() {
    let (sender, receiver) = F::channel();
    let mut senders = [sender.clone(), sender.clone(), sender];
    let panicking = || WakeCounter::on_wake(panics).1;
    let (wakes, waker) = WakeCounter::new();
    for (sender, waker) in senders.iter_mut().zip([panicking(), waker, panicking()]) {
        assert!(!poll_closed(sender, &waker));
    }
    assert!(caught(|| drop(receiver)).is_some(), "one of the panics comes out");
    assert_eq!(wakes.count(), 1);
}
