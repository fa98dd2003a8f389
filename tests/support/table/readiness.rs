//! Receivers that can be asked whether a receive would block.

use super::flavor::{Flavor, Missing, Receiver, send_elsewhere, until_closed};
use crate::{DropCounter, WakeCounter, caught, panics, poll, poll_future, spin_while};
use pipes::Readiness;
use std::task::Waker;
use std::time::{Duration, Instant};

/// A message makes the receiver ready, and a close makes it closed.
pub fn message_and_close<F: Flavor<Receiver: Readiness>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    assert!(!receiver.is_ready() && !receiver.is_closed() && receiver.would_block());
    assert!(poll(&mut receiver, Waker::noop()).is_pending());
    assert!(!receiver.wait(Some(Instant::now())));
    assert!(!receiver.wait(Instant::now().checked_add(Duration::from_micros(50))));
    let sending = send_elsewhere::<F>(sender, &drops);
    assert!(receiver.wait(None));
    assert!(receiver.is_ready() && !receiver.is_closed() && !receiver.would_block());
    assert!(receiver.wait(Some(Instant::now())), "it is ready, however late it is");
    assert!(poll(&mut receiver, Waker::noop()).is_ready());
    assert!(poll(&mut receiver, Waker::noop()).is_ready());
    assert_eq!(receiver.recv().expect("it is ready").number, 1);
    drop(sending.join().expect("the message was sent"));
    assert!(receiver.wait(None));
    assert!(receiver.is_closed() && !receiver.is_ready() && !receiver.would_block());
    assert!(receiver.wait(Some(Instant::now())));
    assert!(poll(&mut receiver, Waker::noop()).is_ready());
}

/// The waker of the same task is registered once. A receive without time leaves it there.
pub fn same_task_again<F: Flavor<Receiver: Readiness>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    for _ in 0..10 {
        assert!(poll(&mut receiver, &waker).is_pending());
        assert!(poll(&mut receiver, &waker.clone()).is_pending(), "a clone wakes the same task");
        assert_eq!(wakes.wakers(), 2);
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
        assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Empty);
        assert!(!receiver.wait(Some(Instant::now())));
        assert_eq!(wakes.wakers(), 2);
    }
    let sending = send_elsewhere::<F>(sender, &drops);
    spin_while(|| wakes.count() == 0);
    assert_eq!(receiver.recv().expect("it was sent").number, 1);
    sending.join().expect("the message was sent");
    drop(receiver);
    assert_eq!((wakes.count(), wakes.wakers()), (1, 1));
}

/// A thread that waits takes the place of a task, which is not woken.
pub fn thread_replaces_a_task<F: Flavor<Receiver: Readiness>>() {
    for receives in [false, true] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (sender, mut receiver) = F::channel();
        assert!(poll(&mut receiver, &waker).is_pending());
        wakes.gives_way(|time| {
            if receives {
                assert_eq!(receiver.recv_timeout(time).unwrap_err(), Missing::Empty);
            } else {
                assert!(!receiver.wait(Instant::now().checked_add(time)));
            }
        });
        let sending = send_elsewhere::<F>(sender, &drops);
        assert_eq!(receiver.recv().expect("it was sent").number, 1);
        sending.join().expect("the message was sent");
        assert_eq!((wakes.count(), wakes.wakers()), (0, 1));
    }
}

/// A wait of a task that is cancelled loses nothing.
pub fn cancelled_wait<F: Flavor<Receiver: Readiness>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    for _ in 0..3 {
        assert!(poll_future(&mut receiver.ready(), &waker).is_pending());
    }
    let sending = send_elsewhere::<F>(sender, &drops);
    spin_while(|| wakes.count() == 0);
    drop(receiver.ready());
    assert!(poll_future(&mut receiver.ready(), &waker).is_ready());
    assert_eq!(receiver.recv().expect("it is ready").number, 1);
    sending.join().expect("the message was sent");
    assert_eq!((wakes.count(), wakes.wakers()), (1, 1));
}

/// A waker whose destructor panics when another waker, or a thread, takes its place.
pub fn replaced_waker_that_panics<F: Flavor<Receiver: Readiness>>() {
    let drops = DropCounter::new();
    let panicking = || WakeCounter::on_drop(panics);
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    assert!(poll(&mut receiver, &panicking()).is_pending());
    assert!(caught(|| poll(&mut receiver, &waker)).is_some());
    assert!(poll(&mut receiver, &waker).is_pending());
    let sending = send_elsewhere::<F>(sender, &drops);
    spin_while(|| wakes.count() == 0);
    assert_eq!(receiver.recv().expect("it was sent").number, 1);
    sending.join().expect("the message was sent");

    let (sender, mut receiver) = F::channel();
    assert!(poll(&mut receiver, &panicking()).is_pending());
    assert!(caught(|| receiver.recv()).is_some());
    drop(receiver);
    until_closed(&sender);
}

/// The sender leaves while the receiver drops the task that it replaces, which uses up the thread's wake-up.
pub fn wake_up_that_is_used_up<F: Flavor<Receiver: Readiness>>() {
    let (sender, mut receiver) = F::channel();
    let waker = WakeCounter::on_drop_elsewhere(move || drop(sender));
    assert!(poll(&mut receiver, &waker).is_pending());
    drop(waker);
    assert!(receiver.recv().is_none());
}
