//! Races that hold for several kinds of channels.

use crate::race::{alone, counted_race, race};
use pipes::{Closing, Readiness};
use pipes_tests::table::flavor::{Flavor, Limited, LimitedSender, Missing, Receiver, Sender, Unsent};
use pipes_tests::table::flavors::{
    Bounded, Broadcast, Duplex, ManyReceivers, ManyReceiversBounded, OneMessage, OneSenderManyReceivers,
    Shared, SharedBounded, Stream,
};
use pipes_tests::table::latest::{Lagging, Watch};
use pipes_tests::table::limited::full;
use pipes_tests::table::sessions::{BoundedSession, UnboundedSession};
use pipes_tests::{DropCounter, Rng, WakeCounter, caught, poll, poll_future, spin_while};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::Duration;

/// Runs a race for each of these kinds. The numbers are its arguments.
macro_rules! for_kinds {
    ($race:ident: $($flavor:ty $(=> $argument:expr)?),* $(,)?) => {
        $(alone(|| $race::<$flavor>($($argument)?));)*
    };
}

/// A channel with fewer than `limit` unread messages. The receiver has already received as many or fewer, so
/// that the sender stands anywhere in a block.
fn filled<F: Flavor>(drops: &DropCounter, number: usize, limit: usize) -> (F::Sender, F::Receiver) {
    let (mut sender, mut receiver) = F::channel();
    let unread = number % limit;
    for number in 0..unread as u64 {
        assert!(sender.send(drops.make(number)).is_ok());
    }
    if number.is_multiple_of(3) {
        (0..number / limit % (unread + 1)).for_each(|_| drop(receiver.recv()));
    }
    (sender, receiver)
}

/// The receiver leaves during sends, which may wait for room. What is not sent comes back.
fn dropped<F: Flavor<Receiver: Readiness>>(limit: usize) {
    let make = |number: usize, drops: &DropCounter| {
        let (sender, mut receiver) = filled::<F>(drops, number, limit);
        let _ready = number.is_multiple_of(2) && poll(&mut receiver, Waker::noop()).is_ready();
        (receiver, (sender, [7, 8, 9].map(|number| drops.make(number))))
    };
    counted_race(4_000, make, drop, |(mut sender, messages)| {
        for message in messages {
            let number = message.number;
            assert!(
                sender
                    .send(message)
                    .map_err(|message| message.number)
                    .err()
                    .is_none_or(|back| back == number)
            );
        }
    });
}

#[test]
fn dropped_against_sends() {
    for_kinds! { dropped:
        Stream => 70, Bounded<0> => 1, Bounded<1> => 2, Bounded<64> => 65,
        Shared => 70, SharedBounded<0> => 1, SharedBounded<1> => 2, SharedBounded<64> => 65,
    }
}

/// The waker of a receiver that leaves panics: it is woken by the message, by the close, or not at all.
fn panicking_waker<F: Flavor<Receiver: Readiness>>(limit: usize) {
    let make = |number: usize, drops: &DropCounter| {
        let (sender, mut receiver) = filled::<F>(drops, number, limit);
        while receiver.try_recv().is_ok() {}
        let (_, waker) = WakeCounter::on_wake(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(poll(&mut receiver, &waker).is_pending());
        (receiver, (sender, drops.make(7)))
    };
    let leave = |mut receiver: F::Receiver| drop(receiver.try_recv());
    counted_race(3_000, make, leave, |(mut sender, message)| {
        let _panic = caught(|| drop(sender.send(message)));
        drop(caught(|| drop(sender)));
    });
}

#[test]
fn panicking_waker_against_a_receiver_that_leaves() {
    for_kinds! { panicking_waker:
        Stream => 70, Bounded<1> => 2, Shared => 70, SharedBounded<1> => 2, SharedBounded<0> => 1,
    }
}

/// Both ends leave, with and without unread messages.
fn both_leave<F: Flavor>(limit: usize) {
    let drops = DropCounter::new();
    race(4_000, |number| filled::<F>(&drops, number, limit), drop, drop);
    drops.assert_all_dropped();
}

#[test]
fn close_against_close() {
    for_kinds! { both_leave:
        OneMessage => 2, UnboundedSession => 5, BoundedSession => 2, Stream => 70, Bounded<1> => 2,
        Shared => 70, SharedBounded<3> => 4, ManyReceivers => 70, OneSenderManyReceivers => 70,
    }
}

/// A receiver that waits for the message, with a timeout of any length or without one, and then for the
/// close.
fn waited<F: Flavor>() {
    let random = Mutex::new(Rng::with_seed(3));
    let make = |number: usize, drops: &DropCounter| {
        let (sender, receiver) = F::channel();
        ((receiver, number), (sender, drops.make(7)))
    };
    let receive = |(mut receiver, number): (F::Receiver, usize)| {
        let timeout = Duration::from_nanos(random.lock().expect("not poisoned").u64(..3_000));
        let message = match number % 3 {
            0 => receiver.recv_timeout(timeout),
            1 => Err(Missing::Empty),
            // It gives up, and leaves.
            _ => return drop(receiver.recv_timeout(Duration::from_nanos(1))),
        };
        let message = message.or_else(|missing| {
            assert_eq!(missing, Missing::Empty, "it is sent first");
            receiver.recv().ok_or(missing)
        });
        assert_eq!(message.expect("it is sent").number, 7);
        assert_eq!(receiver.recv_timeout(Duration::MAX).unwrap_err(), Missing::Closed);
    };
    counted_race(6_000, make, receive, |(mut sender, message)| drop(sender.send(message)));
}

#[test]
fn waits_against_send_and_close() {
    for_kinds! { waited:
        OneMessage, UnboundedSession, BoundedSession, Stream, Bounded<0>, Bounded<1>, Shared, SharedBounded<0>,
        SharedBounded<1>, ManyReceivers, ManyReceiversBounded<0>,
    }
}

/// A receiver that is polled while the message is sent is ready, or is woken. The sender stays.
fn polled<F: Flavor<Receiver: Readiness>>() {
    let make = |_, drops: &DropCounter| {
        let (sender, receiver) = F::channel();
        let was_sent = Arc::new(AtomicBool::new(false));
        let wakes = WakeCounter::new();
        ((receiver, wakes, was_sent.clone()), (sender, drops.make(7), was_sent))
    };
    type Polled<R> = (R, (Arc<WakeCounter>, Waker), Arc<AtomicBool>);
    let receive = |(mut receiver, (wakes, waker), was_sent): Polled<F::Receiver>| {
        if poll(&mut receiver, &waker).is_pending() {
            spin_while(|| !was_sent.load(Ordering::Acquire));
            assert_eq!(wakes.count(), 1, "the message wakes it");
        }
        assert_eq!(receiver.try_recv().expect("it was sent").number, 7);
    };
    counted_race(6_000, make, receive, |(mut sender, message, was_sent)| {
        assert!(sender.send(message).is_ok());
        was_sent.store(true, Ordering::Release);
    });
}

#[test]
fn poll_against_send() {
    for_kinds! { polled:
        OneMessage, UnboundedSession, BoundedSession, Stream, Bounded<1>, Shared, SharedBounded<1>,
        Duplex, Broadcast<2>, Lagging<2>, Watch,
    }
}

/// Sends that give up while a message is received: what is sent arrives, and what comes back does not.
fn gives_up<F: Limited>() {
    let (sent, received) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let make = |number: usize, drops: &DropCounter| {
        let (sender, receiver) = full::<F>(drops);
        ((sender, drops.make(9), number), receiver)
    };
    let send = |(mut sender, message, number): (F::Sender, _, usize)| {
        let timeout = Duration::from_nanos(number as u64 * 7 % 3_000);
        match sender.send_timeout(message, timeout) {
            Ok(()) => drop(sent.fetch_add(1, Ordering::Relaxed)),
            Err(Unsent::Full(message)) => assert_eq!(message.number, 9),
            Err(Unsent::Closed(_)) => panic!("the receiver waits for the close"),
        }
    };
    counted_race(6_000, make, send, |mut receiver| {
        let count = std::iter::from_fn(|| receiver.recv()).filter(|message| message.number == 9).count();
        received.fetch_add(count, Ordering::Relaxed);
    });
    assert_eq!(sent.into_inner(), received.into_inner());
}

#[test]
fn send_that_times_out_against_receives() {
    for_kinds! { gives_up:
        Bounded<0>, Bounded<1>, Bounded<2>, SharedBounded<0>, SharedBounded<1>, SharedBounded<2>,
        ManyReceiversBounded<0>, ManyReceiversBounded<1>,
    }
}

/// A send is cancelled while it is granted room, or its offer is taken, and while the receiver leaves.
fn cancelled<F: Limited>() {
    let make = |_, drops: &DropCounter| {
        let (mut sender, receiver) = full::<F>(drops);
        assert!(poll_future(&mut sender.send_async(drops.make(8)), Waker::noop()).is_pending());
        ((sender, drops.make(9)), receiver)
    };
    let send = |(mut sender, message): (F::Sender, _)| {
        let _cancelled = poll_future(&mut sender.send_async(message), Waker::noop());
    };
    counted_race(4_000, make, send, |mut receiver| {
        drop(receiver.try_recv());
        drop(receiver);
    });
}

#[test]
fn cancelled_send_against_a_receive() {
    for_kinds! { cancelled:
        Bounded<0>, Bounded<1>, Bounded<2>, SharedBounded<0>, SharedBounded<1>, SharedBounded<2>,
        ManyReceiversBounded<0>, ManyReceiversBounded<1>,
    }
}

/// A sender that waits until the receiver has left, after it was polled.
fn watched_close<F: Flavor<Sender: Closing>>(limit: usize) {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let make = |number: usize| {
        let (mut sender, receiver) = filled::<F>(&drops, number, limit);
        assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        ((sender, number), receiver)
    };
    let wait = |(mut sender, number): (F::Sender, usize)| {
        let _closed = sender.poll_closed(&mut Context::from_waker(&waker));
        if number.is_multiple_of(2) {
            sender.wait_closed();
            assert!(sender.send(drops.make(0)).is_err());
        }
    };
    race(2_500, make, wait, drop);
    assert_eq!(wakes.wakers(), 1, "each of its clones was dropped");
    drops.assert_all_dropped();
}

#[test]
fn watch_against_close() {
    for_kinds! { watched_close:
        Stream => 70, Bounded<0> => 1, Bounded<1> => 2, Shared => 70, SharedBounded<0> => 1,
        SharedBounded<1> => 2, ManyReceivers => 70,
    }
}
