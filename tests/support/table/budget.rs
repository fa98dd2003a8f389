//! Receives in tasks give way: a task has a budget, and a receive that finds it spent wakes its own task
//! instead of completing. A thread has a budget, too, which is large enough for a test with few receives.

use super::flavor::{Flavor, Sender, TaskReceiver};
use crate::{DropCounter, JoinHandle, WakeCounter, begun, poll_future, spawn, spin_while};
use pipes::{Port, stream};
use std::sync::Arc;
use std::task::{Poll, Waker};

/// What a task may receive before it gives way.
pub const OF_TASK: usize = 128;

/// A stream with this many messages, whose sender has left.
pub fn filled(messages: usize) -> Port<u64> {
    let (mut chan, port) = stream();
    (0..messages as u64).for_each(|number| chan.send(number).expect("the port is here"));
    port
}

/// How many receives of a task in a row are ready at their first poll. The one that is not has filled the
/// budget.
pub fn ready_in_a_row(port: &mut Port<u64>, waker: &Waker) -> usize {
    (0..).take_while(|_| poll_future(&mut port.recv_async(), waker).is_ready()).count()
}

/// Fills the budget of the task with this waker.
pub fn fill(waker: &Waker) {
    ready_in_a_row(&mut filled(OF_TASK + 1), waker);
}

/// Spends the budget of the task with this waker.
pub fn spend_all(waker: &Waker) {
    fill(waker);
    let port = &mut filled(OF_TASK);
    assert!((0..OF_TASK).all(|_| poll_future(&mut port.recv_async(), waker).is_ready()));
}

/// What is left of the budget of the task with this waker.
pub fn left(waker: &Waker) -> usize {
    ready_in_a_row(&mut filled(OF_TASK + 1), waker)
}

/// A receive that waits, and that another thread has woken by a message or by a close.
fn woken<F: Flavor<Receiver: TaskReceiver>>(
    mut sender: F::Sender,
    message: bool,
    wakes: &Arc<WakeCounter>,
    drops: &DropCounter,
) -> JoinHandle<Option<F::Sender>> {
    let message = message.then(|| drops.make(1));
    let before = wakes.count();
    let sending = spawn(move || {
        assert!(sender.send(message?).is_ok());
        Some(sender)
    });
    spin_while(|| wakes.count() == before);
    sending
}

/// A receive that completes costs one, whether with a message or with a close.
pub fn receive_costs_one<F: Flavor<Receiver: TaskReceiver>>() {
    for message in [true, false] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (sender, mut receiver) = F::channel();
        let mut receiving = begun(receiver.recv_async(), &waker);
        let sending = woken::<F>(sender, message, &wakes, &drops);
        fill(&waker);
        let Poll::Ready(received) = poll_future(&mut receiving, &waker) else { panic!("it was woken") };
        assert_eq!(received.is_some(), message);
        assert_eq!(left(&waker), OF_TASK - 1);
        sending.join().expect("the message was sent");
    }
}

/// A receive that finds nothing costs nothing.
pub fn wait_costs_nothing<F: Flavor<Receiver: TaskReceiver>>() {
    let (_wakes, waker) = WakeCounter::new();
    let (_sender, mut receiver) = F::channel();
    fill(&waker);
    let mut receiving = receiver.recv_async();
    assert!((0..1_000).all(|_| poll_future(&mut receiving, &waker).is_pending()));
    assert_eq!(left(&waker), OF_TASK);
}

/// A receive that finds the budget spent wakes its own task once, and completes when it is polled again.
pub fn receive_gives_way<F: Flavor<Receiver: TaskReceiver>>() {
    for message in [true, false] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (sender, mut receiver) = F::channel();
        let mut receiving = begun(receiver.recv_async(), &waker);
        let sending = woken::<F>(sender, message, &wakes, &drops);
        spend_all(&waker);
        let before = wakes.count();
        assert!(poll_future(&mut receiving, &waker).is_pending(), "it gives way");
        assert_eq!(wakes.count(), before + 1);
        let Poll::Ready(received) = poll_future(&mut receiving, &waker) else { panic!("it gave way once") };
        assert_eq!((received.is_some(), wakes.count()), (message, before + 1));
        sending.join().expect("the message was sent");
        drop(received);
        drops.assert_all_dropped();
    }
}
