//! Tests what both ends do in each state of a slot, in one thread.

use super::end::Until;
use super::{BoundedReceiver, BoundedSender, Sent, bounded};
use crate::slot::received::Received;
use crate::wait::Waitable;
use crate::wait::tests::{END, WakeCounter, panicking_waker};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, panic_any};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// Polls for a message, or for room.
fn poll<T>(receiver: &mut BoundedReceiver<T>, waker: &Waker) -> Poll<()> {
    receiver.waiting().poll(&mut Context::from_waker(waker))
}

fn poll_room<T>(sender: &mut BoundedSender<T>, waker: &Waker) -> Poll<()> {
    sender.waiting().poll(&mut Context::from_waker(waker))
}

fn taken<T>(receiver: &mut BoundedReceiver<T>) -> Option<T> {
    match receiver.take() {
        Received::Message(value) => Some(value),
        Received::Nothing(()) | Received::Closed => None,
    }
}

fn long_ago() -> Option<Instant> {
    Some(Instant::now())
}

#[test]
fn as_many_fit_as_the_capacity_says() {
    for capacity in [1, 2, 3, if cfg!(miri) { 8 } else { 64 }] {
        let (mut sender, mut receiver) = bounded(capacity);
        for round in 0..3 * capacity {
            for number in 0..capacity {
                assert!(matches!(sender.try_send(round + number), Sent::Done));
            }
            assert!(matches!(sender.try_send(99), Sent::Full(99)));
            assert!(matches!(sender.send_until(99, long_ago, Location::caller()), Sent::Full(99)));
            assert!(!sender.waiting().block(long_ago(), END, Location::caller()));
            assert_eq!(taken(&mut receiver), Some(round));
            assert!(matches!(sender.try_send(round + capacity), Sent::Done), "room for one");
            assert!(matches!(sender.try_send(99), Sent::Full(99)), "and no more");
            for number in 1..=capacity {
                assert_eq!(taken(&mut receiver), Some(round + number));
            }
            assert_eq!((taken(&mut receiver), receiver.peek()), (None, None));
        }
    }
}

#[test]
fn each_side_wakes_the_other_once() {
    let ((there, waker_there), (room, waker_room)) = (WakeCounter::new(), WakeCounter::new());
    let (mut sender, mut receiver) = bounded(2);
    for round in 1..=7 {
        assert!(poll(&mut receiver, &waker_there).is_pending());
        assert!(poll(&mut receiver, &waker_there).is_pending(), "the same task again");
        assert!(matches!(sender.try_send(1), Sent::Done));
        assert!(matches!(sender.try_send(2), Sent::Done));
        assert_eq!(there.count(), round);
        assert!(poll_room(&mut sender, &waker_room).is_pending());
        assert!(poll_room(&mut sender, &waker_room).is_pending(), "the same task again");
        assert_eq!((taken(&mut receiver), taken(&mut receiver)), (Some(1), Some(2)));
        assert_eq!(room.count(), round);
    }
    drop((sender, receiver, waker_there, waker_room));
    assert_eq!((Arc::strong_count(&there), Arc::strong_count(&room)), (1, 1), "a waker was leaked");
}

#[test]
fn a_waiter_leaves_with_its_side() {
    let ((there, waker_there), (room, waker_room)) = (WakeCounter::new(), WakeCounter::new());
    let (sender, mut receiver) = bounded::<u8>(1);
    assert!(poll(&mut receiver, &waker_there).is_pending());
    drop((receiver, waker_there));
    assert_eq!((Arc::strong_count(&there), there.count()), (1, 0));
    assert!(sender.receiver_has_left());
    let (mut sender, receiver) = bounded(1);
    assert!(matches!(sender.try_send(1), Sent::Done));
    assert!(poll_room(&mut sender, &waker_room).is_pending());
    drop((sender, waker_room));
    assert_eq!((Arc::strong_count(&room), room.count()), (1, 0));
    assert_eq!(receiver.peek(), Some(true), "what was sent comes before the close");
}

#[test]
fn the_sender_learns_that_the_receiver_leaves() {
    for sent in 0..=2 {
        let (gone, waker) = WakeCounter::new();
        let (mut sender, receiver) = bounded(2);
        for number in 0..sent {
            assert!(matches!(sender.try_send(number), Sent::Done));
        }
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(!sender.closing().block(long_ago(), END, Location::caller()), "which forgets the task");
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(receiver);
        assert_eq!(gone.count(), 1, "after {sent} messages");
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_ready());
        assert!(sender.closing().block(None, END, Location::caller()) && sender.receiver_has_left());
        assert!(matches!(sender.try_send(9), Sent::Gone(9)));
        assert!(matches!(sender.send(9, Location::caller()), Err(9)), "and so on");
    }
}

#[test]
fn what_was_sent_comes_before_the_close() {
    for sent in 0..=3 {
        let (mut sender, mut receiver) = bounded(3);
        assert!(matches!(sender.try_send(9), Sent::Done));
        assert_eq!(taken(&mut receiver), Some(9));
        for number in 0..sent {
            assert!(matches!(sender.try_send(number), Sent::Done));
        }
        drop(sender);
        for number in 0..sent {
            assert_eq!((receiver.peek(), taken(&mut receiver)), (Some(true), Some(number)));
        }
        assert_eq!(receiver.peek(), Some(false));
        assert!(!receiver.is_over());
        assert!(matches!(receiver.take(), Received::Closed) && receiver.is_over());
        assert!(matches!(receiver.take(), Received::Closed), "and so on");
    }
}

#[test]
fn unread_messages_go_with_the_receiver() {
    for sent in 0..=4 {
        let counted = Arc::new(());
        let (mut sender, mut receiver) = bounded(4);
        for _ in 0..3 {
            assert!(matches!(sender.try_send(counted.clone()), Sent::Done));
            drop(taken(&mut receiver));
        }
        for _ in 0..sent {
            assert!(matches!(sender.try_send(counted.clone()), Sent::Done));
        }
        assert_eq!(Arc::strong_count(&counted), 1 + sent);
        drop(receiver);
        assert_eq!(Arc::strong_count(&counted), 1, "of {sent}");
        assert!(matches!(sender.try_send(counted.clone()), Sent::Gone(_)));
    }
}

/// A thread looks again for a moment only when it waits for something that comes soon.
#[test]
fn messages_and_room_come_soon_and_the_close_does_not() {
    let (mut sender, mut receiver) = bounded::<u64>(1);
    let (sender, receiver) = (sender.0.as_mut().expect("open"), receiver.0.as_mut().expect("open"));
    assert!(receiver.waiting(Until::Message).comes_soon());
    assert!(sender.waiting(Until::Room).comes_soon());
    assert!(!sender.waiting(Until::Close).comes_soon());
}

/// A payload that counts its destructor, which may panic.
struct Mortal(Arc<AtomicUsize>, bool);

impl Drop for Mortal {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        if self.1 {
            panic_any("on purpose");
        }
    }
}

#[test]
fn a_destructor_that_panics_stops_nothing_else() {
    for capacity in 1..=4 {
        for bomb in 0..capacity {
            let (dead, (room, waker)) = (Arc::new(AtomicUsize::new(0)), WakeCounter::new());
            let (mut sender, receiver) = bounded(capacity);
            for number in 0..capacity {
                assert!(matches!(sender.try_send(Mortal(dead.clone(), number == bomb)), Sent::Done));
            }
            assert!(poll_room(&mut sender, &waker).is_pending());
            assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
            assert_eq!(dead.load(Ordering::Relaxed), capacity);
            assert_eq!(room.count(), 1, "the sender learns of it");
            assert!(matches!(sender.try_send(Mortal(dead.clone(), false)), Sent::Gone(_)));
            drop(sender);
            assert_eq!(Arc::strong_count(&dead), 1);
        }
    }
}

#[test]
fn a_waker_that_panics_finds_nothing_half_done() {
    let waker = panicking_waker();
    for capacity in [1, 2] {
        let (mut sender, mut receiver) = bounded(capacity);
        assert!(poll(&mut receiver, &waker).is_pending());
        assert!(catch_unwind(AssertUnwindSafe(|| sender.try_send(1))).is_err());
        assert_eq!(taken(&mut receiver), Some(1), "it is sent");
        while let Sent::Done = sender.try_send(2) {}
        assert!(poll_room(&mut sender, &waker).is_pending());
        assert!(catch_unwind(AssertUnwindSafe(|| taken(&mut receiver))).is_err());
        assert!(matches!(sender.try_send(3), Sent::Done), "there is room");
        while let Sent::Done = sender.try_send(2) {}
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
        assert!(sender.receiver_has_left());
    }
}

#[test]
fn payloads_of_any_size_and_alignment() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(align(512))]
    struct Broad(u8);
    fn there_and_back<T: Copy + PartialEq + std::fmt::Debug>(value: T) {
        let (mut sender, mut receiver) = bounded(3);
        for _ in 0..5 {
            assert!(matches!(sender.try_send(value), Sent::Done));
            assert!(matches!(sender.try_send(value), Sent::Done));
            assert_eq!((taken(&mut receiver), taken(&mut receiver)), (Some(value), Some(value)));
        }
    }
    there_and_back(());
    there_and_back(7_u8);
    there_and_back(Broad(7));
    there_and_back([7_u64; 100]);
}

#[test]
#[should_panic = "capacity overflow"]
fn more_than_can_be_addressed() {
    let _ = bounded::<u64>(usize::MAX / 2);
}
