//! Tests what both ends do with an offer, in one thread.

use super::{Offer, RendezvousReceiver, RendezvousSender, rendezvous};
use crate::slot::{Received, Sent};
use crate::wait::Waitable;
use crate::wait::tests::{END, WakeCounter, panicking_waker};
use std::panic::Location;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

fn poll<T>(receiver: &mut RendezvousReceiver<T>, waker: &Waker) -> Poll<()> {
    receiver.poll(&mut Context::from_waker(waker))
}

fn poll_offer<T>(sender: &mut RendezvousSender<T>, waker: &Waker, value: &mut Option<T>) -> Poll<()> {
    sender.poll_offer(&mut Context::from_waker(waker), value)
}

/// Offers a value and does not wait.
fn offer<T>(sender: &mut RendezvousSender<T>, value: T) {
    assert!(poll_offer(sender, Waker::noop(), &mut Some(value)).is_pending());
}

fn taken<T>(receiver: &mut RendezvousReceiver<T>) -> Option<T> {
    match receiver.take() {
        Received::Message(value) => Some(value),
        Received::Nothing(()) | Received::Closed => None,
    }
}

fn long_ago() -> Option<Instant> {
    Some(Instant::now())
}

#[test]
fn try_send_hands_over_to_a_receiver_that_waits() {
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = rendezvous();
    for round in 1..=5 {
        assert!(matches!(sender.try_send(7), Sent::Full(7)), "the receiver does not wait");
        assert!(poll(&mut receiver, &waker).is_pending());
        assert!(matches!(sender.try_send(7), Sent::Done));
        assert!(matches!(sender.try_send(8), Sent::Full(8)), "the receiver has not come yet");
        assert_eq!(wakes.count(), round);
        assert_eq!(taken(&mut receiver), Some(7));
    }
    assert!(poll(&mut receiver, &waker).is_pending());
    assert!(!receiver.block(long_ago(), END, Location::caller()), "which is only a look");
    assert!(matches!(sender.try_send(7), Sent::Done), "the task still waits");
    assert_eq!(wakes.count(), 6);
}

#[test]
fn an_offer_is_taken_back_unless_it_is_promised() {
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = rendezvous();
    assert!(
        matches!(sender.send(1, long_ago, END, Location::caller()), Sent::Full(1)),
        "the receiver does not wait"
    );
    assert!(poll(&mut receiver, &waker).is_pending());
    offer(&mut sender, 2);
    assert_eq!(sender.take_back(), Some(2), "the receiver was woken and did not come");
    assert_eq!(wakes.count(), 1);
    assert!(poll(&mut receiver, &waker).is_pending(), "it came too late");
    assert!(
        matches!(sender.send(6, long_ago, END, Location::caller()), Sent::Done),
        "it waits, so it gets the value"
    );
    assert_eq!(taken(&mut receiver), Some(6));
    assert!(poll(&mut receiver, &waker).is_pending());
    offer(&mut sender, 3);
    assert!(poll(&mut receiver, &waker).is_ready());
    assert_eq!(sender.take_back(), None, "it is promised, and sent now");
    assert_eq!(taken(&mut receiver), Some(3));
    offer(&mut sender, 4);
    assert_eq!(taken(&mut receiver), Some(4), "a look is enough");
    assert_eq!(sender.take_back(), None);
}

/// A promise is for the first offer only.
#[test]
fn the_second_offer_is_taken_back_when_the_first_is_promised() {
    let (mut first, mut receiver) = rendezvous();
    let mut second = first.clone();
    offer(&mut first, 1);
    offer(&mut second, 2);
    assert!(receiver.promise());
    assert_eq!(second.take_back(), Some(2));
    assert_eq!(first.take_back(), None);
    offer(&mut second, 3);
    assert_eq!((taken(&mut receiver), receiver.promise()), (Some(1), true));
    assert_eq!((second.take_back(), taken(&mut receiver)), (None, Some(3)));
    offer(&mut second, 4);
    assert_eq!(second.take_back(), Some(4), "that promise was kept");
}

#[test]
fn an_offer_comes_back_when_the_receiver_leaves_unless_it_was_sent() {
    let (wakes, waker) = WakeCounter::new();
    for promised in [false, true] {
        for given_up in [false, true] {
            let payload = Arc::new(());
            let (mut sender, mut receiver) = rendezvous();
            let mut value = Some(payload.clone());
            assert!(poll_offer(&mut sender, &waker, &mut value).is_pending());
            assert!(value.is_none(), "it is on offer");
            if promised {
                assert!(poll(&mut receiver, Waker::noop()).is_ready());
            }
            if given_up {
                assert_eq!(sender.take_back().is_some(), !promised);
            }
            drop(receiver);
            assert!(poll_offer(&mut sender, &waker, &mut value).is_ready());
            assert_eq!(value.take().is_some(), !given_up, "promised {promised}, given up {given_up}");
            assert_eq!(Arc::strong_count(&payload), 1);
        }
    }
    assert_eq!(wakes.count(), 2, "of four, two had given up");
    drop(waker);
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
}

#[test]
fn an_offer_outlives_its_sender_and_is_dropped_with_both() {
    for receives in [false, true] {
        let payload = Arc::new(());
        let (mut sender, mut receiver) = rendezvous();
        offer(&mut sender, payload.clone());
        drop(sender);
        assert_eq!(Arc::strong_count(&payload), 2);
        if receives {
            drop(taken(&mut receiver).expect("it is on offer"));
            assert!(matches!(receiver.take(), Received::Closed));
        }
        drop(receiver);
        assert_eq!(Arc::strong_count(&payload), 1, "received {receives}");
        let (mut sender, receiver) = rendezvous();
        let (shared, other) = (sender.shared.clone(), sender.clone());
        offer(&mut sender, payload.clone());
        drop(receiver);
        assert_eq!(Arc::strong_count(&payload), 2, "the sender may still want it");
        drop(sender);
        assert_eq!(Arc::strong_count(&payload), 1, "even if another end keeps the stream");
        drop((shared, other));
    }
}

#[test]
fn an_abandoned_offer_is_sent_and_is_dropped_with_the_receiver() {
    for closes in [false, true] {
        let payload = Arc::new(());
        let (sender, mut receiver) = rendezvous();
        let (mut first, mut second) = (sender.clone(), sender.clone());
        offer(&mut first, payload.clone());
        offer(&mut second, payload.clone());
        drop(second);
        let mut left = Vec::new();
        if closes {
            receiver.leave(&mut left);
            assert_eq!(left.len(), 1, "the first one is its sender's");
        }
        drop(receiver);
        drop(left);
        assert_eq!(Arc::strong_count(&payload), 2);
        assert!(first.take_back().is_some());
        assert_eq!(Arc::strong_count(&payload), 1);
    }
}

/// A second value waits until the first one of the same sender is taken.
#[test]
fn a_sender_offers_one_value_at_a_time() {
    let (mut sender, mut receiver) = rendezvous();
    offer(&mut sender, 1);
    assert!(matches!(sender.offer(2), Sent::Full(2)));
    let mut second = Some(3);
    assert!(poll_offer(&mut sender, Waker::noop(), &mut second).is_pending());
    assert_eq!(second, Some(3), "it is not on offer");
    assert!(poll_offer(&mut sender, Waker::noop(), &mut None).is_pending(), "the first one still is");
    assert_eq!(taken(&mut receiver), Some(1));
    assert!(poll_offer(&mut sender, Waker::noop(), &mut second).is_pending());
    assert_eq!((second, taken(&mut receiver)), (None, Some(3)));
    offer(&mut sender, 4);
    drop(receiver);
    let mut late = Some(5);
    assert!(poll_offer(&mut sender, Waker::noop(), &mut late).is_ready());
    assert_eq!(late, Some(5));
    let mut back = None;
    assert!(poll_offer(&mut sender, Waker::noop(), &mut back).is_ready());
    assert_eq!(back, Some(4), "it was not lost");
}

#[test]
fn senders_are_served_in_the_order_in_which_they_came() {
    let (sender, mut receiver) = rendezvous();
    let mut offers: Vec<_> = (1..=4).map(|number| Offer::new(&sender, number)).collect();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(offers.iter_mut().rev().all(|offer| offer.poll(&mut cx).is_pending()));
    drop(offers.remove(2));
    assert!(offers[0].poll(&mut cx).is_pending(), "a second look keeps the place");
    let mut all = Vec::new();
    let limit = 8.try_into().expect("it is not 0");
    assert!(matches!(receiver.take_run(&mut all, limit), Received::Message(())));
    assert_eq!(all, [4, 2, 1]);
    assert!(offers.iter_mut().all(|offer| offer.poll(&mut cx).is_ready() && offer.take_back().is_none()));
}

#[test]
fn a_waker_that_panics_finds_nothing_half_done() {
    let waker = panicking_waker();
    let (mut sender, mut receiver) = rendezvous();
    assert!(poll(&mut receiver, &waker).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| sender.try_send(1))).is_err());
    assert_eq!(taken(&mut receiver), Some(1), "it is sent");
    assert!(poll(&mut receiver, &waker).is_pending());
    let mut value = Some(2);
    let offered = catch_unwind(AssertUnwindSafe(|| poll_offer(&mut sender, Waker::noop(), &mut value)));
    assert!(offered.is_err());
    assert_eq!(sender.take_back(), Some(2), "it was on offer");
    assert!(poll_offer(&mut sender, &waker, &mut Some(3)).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| taken(&mut receiver))).is_err());
    assert_eq!(sender.take_back(), None, "it was received, and dropped by the panic");
    assert!(poll_offer(&mut sender, &waker, &mut Some(4)).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
    assert_eq!(sender.take_back(), Some(4));
    assert!(sender.receiver_has_left());
}

#[test]
fn the_last_sender_closes() {
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = rendezvous::<u32>();
    let other = sender.clone();
    assert!(poll(&mut receiver, &waker).is_pending());
    drop(sender);
    assert_eq!((wakes.count(), receiver.peek()), (0, None));
    let shared = other.shared.clone();
    let again = RendezvousSender::of(&shared).expect("one is left");
    drop(other);
    assert_eq!((wakes.count(), receiver.peek()), (0, None));
    drop(again);
    assert_eq!((wakes.count(), receiver.peek()), (1, Some(false)));
    assert!(RendezvousSender::of(&shared).is_none());
    assert!(!receiver.is_over());
    assert!(matches!(receiver.take(), Received::Closed));
    assert!(receiver.is_over());
}
