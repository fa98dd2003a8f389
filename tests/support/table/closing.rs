//! Senders that wait until the receiver has left.

use super::flavor::{Flavor, Receiver, send_elsewhere};
use super::reentrance::{Place, put, take};
use crate::{DropCounter, WakeCounter, caught, effort, panics, poll_closed, poll_future, spawn};
use futures::executor::block_on;
use pipes::Closing;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

/// A thread that waits for the close learns of it.
pub fn thread_that_waits<F: Flavor<Sender: Closing>>() {
    for round in 0..effort(50) {
        let (mut sender, receiver) = F::channel();
        let waiting = spawn(move || {
            if round % 2 == 0 {
                sender.wait_closed();
            } else {
                block_on(sender.closed());
            }
            assert!(Closing::is_closed(&sender));
        });
        drop(receiver);
        waiting.join().expect("the receiver has left");
    }
}

/// A task that waits for the close is woken once, also if it has looked whether it is closed meanwhile.
pub fn task_that_waits<F: Flavor<Sender: Closing>>() {
    let counters: [_; 5] = std::array::from_fn(|_| WakeCounter::new());
    let (mut sender, receiver) = F::channel();
    for (_, waker) in &counters {
        assert!(!poll_closed(&mut sender, waker));
        assert!(poll_future(&mut sender.closed(), waker).is_pending());
        assert!(!Closing::is_closed(&sender));
        assert!(!sender.wait_closed_timeout(Duration::ZERO));
    }
    let [replaced @ .., (wakes, waker)] = &counters;
    assert_eq!(wakes.wakers(), 2, "the same task is registered once");
    drop(receiver);
    assert_eq!(wakes.count(), 1);
    assert!(poll_closed(&mut sender, waker) && poll_closed(&mut sender, Waker::noop()));
    drop(sender);
    assert_eq!(wakes.wakers(), 1);
    for (wakes, _) in replaced {
        assert_eq!((wakes.count(), wakes.wakers()), (0, 1), "only the last waker is kept");
    }
}

/// While the receiver is there, a wait times out.
pub fn timeouts<F: Flavor<Sender: Closing>>() {
    let (mut sender, receiver) = F::channel();
    assert!(!sender.wait_closed_timeout(Duration::ZERO));
    assert!(!sender.wait_closed_timeout(Duration::from_micros(50)));
    assert!(!sender.wait_closed_until(Some(Instant::now())));
    drop(receiver);
    assert!(sender.wait_closed_timeout(Duration::ZERO));
    assert!(sender.wait_closed_timeout(Duration::MAX));
    assert!(sender.wait_closed_until(Some(Instant::now())), "it has happened, however late it is");
}

/// A waker owns the sender that it is registered with: the call that closes drops the sender.
pub fn sender_owned_by_its_waker<F: Flavor<Sender: Closing>>() {
    for elsewhere in [false, true] {
        let (drops, place) = (DropCounter::new(), Place::default());
        let (mut sender, receiver) = F::channel();
        let (own, token) = (place.clone(), drops.make(0));
        let waker = WakeCounter::on_wake(move || drop((take::<F::Sender>(&own), token))).1;
        assert!(!poll_closed(&mut sender, &waker));
        put(&place, sender);
        drop((place, waker));
        if elsewhere {
            spawn(|| drop(receiver)).join().expect("it does not panic")
        } else {
            drop(receiver)
        }
        drops.assert_all_dropped();
    }
}

/// A thread that waits takes the place of a task, which is not woken; a look does not.
pub fn thread_replaces_a_task<F: Flavor<Sender: Closing>>() {
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, receiver) = F::channel();
    assert!(!poll_closed(&mut sender, &waker));
    assert!(!sender.wait_closed_timeout(Duration::ZERO));
    assert_eq!(wakes.wakers(), 2);
    wakes.gives_way(|time| assert!(!sender.wait_closed_timeout(time)));
    drop(receiver);
    assert_eq!(wakes.count(), 0);
    assert!(poll_closed(&mut sender, &waker));
}

/// A sender that waits for the close can send all the same, and then waits again.
pub fn message_of_a_sender_that_waits<F: Flavor<Sender: Closing>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    assert!(!poll_closed(&mut sender, &waker));
    let sending = send_elsewhere::<F>(sender, &drops);
    assert_eq!(receiver.recv().expect("it was sent").number, 1);
    let mut sender = sending.join().expect("the message was sent");
    assert_eq!(wakes.count(), 0, "the receiver is still there");
    let is_over = poll_closed(&mut sender, &waker);
    drop(receiver);
    // The sender of one message is used up.
    assert_eq!(wakes.count(), usize::from(!is_over));
    assert!(poll_closed(&mut sender, &waker));
    drop(sender);
    assert_eq!(wakes.wakers(), 1);
    drops.assert_all_dropped();
}

/// A waker that panics when the receiver leaves: the sender learns of the close.
pub fn waker_that_panics<F: Flavor<Sender: Closing>>() {
    let (wakes, waker) = WakeCounter::on_wake(panics);
    let (mut sender, receiver) = F::channel();
    assert!(!poll_closed(&mut sender, &waker));
    assert!(caught(|| drop(receiver)).is_some(), "the panic is not swallowed");
    assert_eq!((wakes.count(), wakes.wakers()), (1, 1));
    sender.wait_closed();
}

/// A waker whose destructor panics when its sender leaves: the receiver learns of the close.
pub fn destructor_that_panics<F: Flavor<Sender: Closing>>() {
    let (mut sender, mut receiver) = F::channel();
    assert!(!poll_closed(&mut sender, &WakeCounter::on_drop(panics)));
    assert!(caught(|| drop(sender)).is_some(), "the panic is not swallowed");
    assert!(receiver.recv().is_none());
}

/// A waker owns the receiver of its own channel: when the sender leaves, both ends are dropped.
pub fn waker_that_owns_the_receiver<F: Flavor<Sender: Closing>>() {
    let (mut sender, receiver) = F::channel();
    let dropped = Arc::new(());
    let inside = dropped.clone();
    assert!(!poll_closed(&mut sender, &WakeCounter::on_drop(move || drop((receiver, inside)))));
    drop(sender);
    assert_eq!(Arc::strong_count(&dropped), 1);
}

/// The receiver leaves while the sender drops the task that it replaces, which uses up the thread's wake-up.
pub fn wake_up_that_is_used_up<F: Flavor<Sender: Closing>>() {
    let (mut sender, receiver) = F::channel();
    let waker = WakeCounter::on_drop_elsewhere(move || drop(receiver));
    assert!(!poll_closed(&mut sender, &waker));
    drop(waker);
    sender.wait_closed();
}
