//! Senders that wait until the receiver has left.

use super::flavor::Flavor;
use crate::{Bell, effort, lend};
use pipes::Closing;
use std::task::Context;
use std::time::Duration;

/// A thread that waits for the close learns of it.
pub fn thread_that_waits<F: Flavor<Sender: Closing>>() {
    for _ in 0..effort(50) {
        let (mut sender, receiver) = F::channel();
        let waiting = lend(move || {
            sender.wait_closed();
            assert!(Closing::is_closed(&sender));
        });
        drop(receiver);
        waiting.join().expect("the receiver has left");
    }
}

/// A task that waits for the close is woken once.
pub fn task_that_waits<F: Flavor<Sender: Closing>>() {
    let (bell, waker) = Bell::new();
    let (mut sender, receiver) = F::channel();
    assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_pending());
    drop(receiver);
    assert_eq!(bell.rings(), 1);
    assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_ready());
    drop(sender);
    assert_eq!(bell.wakers(), 1);
}

/// While the receiver is there, a wait times out.
pub fn timeouts<F: Flavor<Sender: Closing>>() {
    let (mut sender, receiver) = F::channel();
    assert!(!sender.wait_closed_timeout(Duration::ZERO));
    assert!(!sender.wait_closed_timeout(Duration::from_micros(50)));
    drop(receiver);
    assert!(sender.wait_closed_timeout(Duration::ZERO));
    assert!(sender.wait_closed_timeout(Duration::MAX));
}
