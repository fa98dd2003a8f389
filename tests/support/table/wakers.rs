//! What the wakers of waiting tasks may do. The end that sends or leaves calls them.

use super::flavor::{Flavor, TaskReceiver, send_elsewhere};
use crate::{DropCounter, WakeCounter, begun, caught, panics, poll_future, spawn};
use std::task::{Poll, Waker};

/// A message wakes the task once.
pub fn woken_by_a_message<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &waker);
    assert_eq!(wakes.count(), 0);
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| wakes.count() == 0);
    let Poll::Ready(Some(message)) = poll_future(&mut receiving, &waker) else { panic!("it was woken") };
    assert_eq!(message.number, 1);
    drop(receiving);
    drop(sending.join().expect("the message was sent"));
    assert_eq!(wakes.count(), 1);
    drop((message, receiver));
    assert_eq!(wakes.wakers(), 1, "each clone of the waker was dropped");
    drops.assert_all_dropped();
}

/// A close wakes the task once.
pub fn woken_by_a_close<F: Flavor<Receiver: TaskReceiver>>() {
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &waker);
    drop(sender);
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(None) = poll_future(&mut receiving, &waker) else { panic!("the sender has left") };
    drop(receiving);
    drop(receiver);
    assert_eq!((wakes.count(), wakes.wakers()), (1, 1));
}

/// Of several wakers, the last one is woken; the others are dropped.
pub fn last_of_several_wakers<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let counters: [_; 5] = std::array::from_fn(|_| WakeCounter::new());
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    for (_, waker) in &counters {
        assert!(poll_future(&mut receiving, waker).is_pending());
    }
    let [first @ .., (last, waker)] = &counters;
    let sending = send_elsewhere::<F>(sender, &drops);
    crate::spin_while(|| last.count() == 0);
    for (wakes, _) in first {
        assert_eq!((wakes.count(), wakes.wakers()), (0, 1), "it was replaced, and nothing of it is kept");
    }
    assert!(poll_future(&mut receiving, waker).is_ready());
    sending.join().expect("the message was sent");
}

/// A waker that panics when its channel closes does not stop the close.
pub fn panics_at_a_close<F: Flavor<Receiver: TaskReceiver>>() {
    let (_wakes, waker) = WakeCounter::on_wake(panics);
    let (sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &waker);
    assert!(caught(|| drop(sender)).is_some());
    let Poll::Ready(None) = poll_future(&mut receiving, Waker::noop()) else { panic!("it is closed") };
}

/// The last clone of a waker may panic in its destructor, when the receiver leaves.
pub fn destructor_that_panics<F: Flavor<Receiver: TaskReceiver>>() {
    let waker = WakeCounter::on_drop(panics);
    let (sender, mut receiver) = F::channel();
    let receiving = begun(receiver.recv_async(), &waker);
    std::mem::forget(receiving);
    drop(waker);
    // Depending on the kind, the receiver drops the waker, or the last end that leaves does.
    let panicked = [caught(|| drop(receiver)).is_some(), caught(|| drop(sender)).is_some()];
    assert_eq!(panicked.iter().filter(|panicked| **panicked).count(), 1);
}

/// A waker blocks, in the thread that closes, until another thread has received the close.
pub fn blocks_at_a_close<F: Flavor<Receiver: TaskReceiver>>() {
    let (done, is_done) = std::sync::mpsc::channel();
    let (_wakes, waker) = WakeCounter::on_wake(move || is_done.recv().expect("the receiver sees the close"));
    let (sender, mut receiver) = F::channel();
    let mut receiving = begun(receiver.recv_async(), &waker);
    let closing = spawn(move || drop(sender));
    crate::spin_while(|| poll_future(&mut receiving, Waker::noop()).is_pending());
    done.send(()).expect("the waker waits");
    closing.join().expect("the waker was released");
}
