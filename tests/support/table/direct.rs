//! What holds for channels inside one process: a message is there when its send returns, and the end that
//! leaves drops what is unread. Destructors of messages and wakers may call back into the library meanwhile.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver};
use super::reentrance::{Place, put, take, task};
use crate::{DropCounter, WakeCounter, begun, caught, effort, panics, poll_future};
use std::task::{Poll, Waker};
use std::thread::Builder;
use std::time::Duration;

/// A message is there when its send returns, also for a receive that has no time.
pub fn there_at_once<F: Flavor>() {
    let drops = DropCounter::new();
    for timeout in [None, Some(Duration::ZERO), Some(Duration::MAX)] {
        let (mut sender, mut receiver) = F::channel();
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
        assert!(sender.send(drops.make(1)).is_ok());
        let received = match timeout {
            None => receiver.try_recv(),
            Some(timeout) => receiver.recv_timeout(timeout),
        };
        let message = received.expect("it was sent");
        drop(sender);
        assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Closed);
        drop(receiver);
        assert_eq!(drops.made() - drops.dropped(), 1, "its receiver owns a message");
        assert_eq!(message.number, 1);
    }
    drops.assert_all_dropped();
}

/// The destructor of one of many unread messages panics. The others are dropped all the same.
pub fn destructor_that_panics_among_others<F: Flavor>() {
    let count = F::ROOM.min(100);
    for bomb in [0, 1, 2, 4, 30, 31, 32, 61, 62, 99].into_iter().filter(|bomb| *bomb < count) {
        for sender_first in [false, true] {
            let drops = DropCounter::new();
            let (mut sender, receiver) = F::channel();
            for number in 0..count {
                let is_bomb = number == bomb;
                let message = if is_bomb { drops.make_panicking(number) } else { drops.make(number) };
                assert!(sender.send(message).is_ok());
            }
            let mut sender = Some(sender).filter(|_| !sender_first);
            let panic = caught(|| drop(receiver)).expect("the panic is not swallowed");
            assert_eq!(panic.downcast_ref(), Some(&bomb));
            drops.assert_all_dropped();
            assert!(sender.as_mut().is_none_or(|sender| sender.send(drops.make(7)).is_err()));
        }
    }
}

/// As many unread messages as there is room for are dropped with little stack.
pub fn many_unread_messages<F: Flavor>() {
    let with_little_stack = Builder::new().stack_size(64 << 10).spawn(|| {
        for sender_first in [false, true] {
            let drops = DropCounter::new();
            let (mut sender, receiver) = F::channel();
            for number in 0..F::ROOM.min(effort(200_000) as u64) {
                assert!(sender.send(drops.make(number)).is_ok());
            }
            if sender_first {
                drop(sender);
                drop(receiver);
            } else {
                drop(receiver);
                assert!(sender.is_closed());
            }
            drops.assert_all_dropped();
        }
    });
    with_little_stack.expect("there is a thread").join().expect("64 KiB are enough");
}

/// The destructor of an unread message uses other channels of the same kind: it sends an answer, and drops
/// the sender of another request, which is unread, too.
pub fn destructor_that_uses_other_channels<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let (mut answer, mut answered) = F::channel();
    let (mut other, mut unanswered) = F::channel();
    let (mut request, unread) = F::channel();
    let reply = drops.make(2);
    assert!(request.send(drops.make_with(3, move || drop(other.send(reply)))).is_ok());
    let reply = drops.make(1);
    let message = drops.make_with(4, move || {
        assert!(answer.send(reply).is_ok());
        drop((request, unread));
    });
    assert!(sender.send(message).is_ok());
    drop(receiver);
    assert_eq!(answered.recv().expect("it was answered").number, 1);
    assert!(answered.recv().is_none());
    assert_eq!(unanswered.recv().expect("it was answered").number, 2);
    drops.assert_all_dropped();
}

/// A waker that panics does not lose the message, and the sender is still good.
pub fn waker_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (_wakes, waker) = WakeCounter::on_wake(panics);
    let (mut sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &waker);
    assert!(caught(|| sender.send(drops.make(1))).is_some());
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, Waker::noop()) else {
        panic!("the message was sent before the waker was called")
    };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(sender);
    assert!(receiver.recv().is_none());
    drops.assert_all_dropped();
}

/// The destructor drops the sender while the receiver leaves.
pub fn drops_the_sender<F: Flavor>() {
    let (drops, place) = (DropCounter::new(), Place::default());
    let (mut sender, receiver) = F::channel();
    let own = place.clone();
    let message = drops.make_with(1, move || drop(take::<F::Sender>(&own)));
    assert!(sender.send(message).is_ok());
    put(&place, sender);
    drop(receiver);
    assert!(take(&place).is_none());
    drops.assert_all_dropped();
}

/// Each message owns both ends of the next channel, in which the next message lies.
pub fn nested_channels<F: Flavor>() {
    let drops = DropCounter::new();
    let mut message = drops.make(0);
    for number in 1..if cfg!(miri) { 10 } else { 100 } {
        let (mut sender, receiver) = F::channel();
        assert!(sender.send(message).is_ok());
        message = if number % 2 == 0 {
            drops.make_with(number, move || drop((sender, receiver)))
        } else {
            drops.make_with(number, move || drop((receiver, sender)))
        };
    }
    drop(message);
    drops.assert_all_dropped();
}

/// A waker that is replaced sends in its destructor. The receiver finds the message or is woken.
pub fn replaced_waker_sends<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let message = drops.make(1);
    let first = WakeCounter::on_drop(move || assert!(sender.send(message).is_ok()));
    let mut receiving = begun(receiver.recv_async(), &first);
    drop(first);
    let (wakes, second) = WakeCounter::new();
    let mut polled = poll_future(&mut receiving, &second);
    if polled.is_pending() {
        assert_eq!(wakes.count(), 1);
        polled = poll_future(&mut receiving, &second);
    }
    let Poll::Ready(Some(message)) = polled else { panic!("a message was sent") };
    assert_eq!(message.number, 1);
    drop((receiving, message));
    drop(receiver);
    drops.assert_all_dropped();
}

/// A waker sends in its destructor while its receiver leaves. The message is dropped or comes back.
pub fn waker_sends_to_a_receiver_that_leaves<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let message = drops.make(1);
    let waker = WakeCounter::on_drop(move || drop(sender.send(message)));
    let task = begun(task::<F>(receiver), &waker);
    drop(waker);
    drop(task);
    drops.assert_all_dropped();
}
