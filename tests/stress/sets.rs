//! Sets whose members are inserted, removed and dropped while they are sent to, with counted destructors.

use crate::race::{alone, counted_race};
use pipes::{Chan, Closed, Port, PortSet, stream};
use pipes_tests::{Counted, DropCounter, Rng, WakeCounter, poll, spin_while, test_in};
use std::sync::Mutex;
use std::task::Waker;
use std::time::Duration;

/// A set of `count` streams that is registered with all of them.
fn waiting(count: usize, waker: &Waker) -> (Vec<Chan<Counted>>, PortSet<Port<Counted>>) {
    let mut set = PortSet::new();
    let chans = (0..count).map(|_| set.chan()).collect();
    assert!(poll(&mut set, waker).is_pending());
    (chans, set)
}

/// Sends one message to each.
fn send_each(chans: Vec<Chan<Counted>>, payloads: impl IntoIterator<Item = Counted>) {
    for (mut chan, payload) in chans.into_iter().zip(payloads) {
        assert!(chan.send(payload).is_ok());
    }
}

#[test_in(alone)]
fn a_receive_against_send() {
    let make = |number: usize, drops: &DropCounter| {
        let (mut chans, set) = waiting(3, Waker::noop());
        let chan = chans.remove(number % 3);
        ((set, chans, number), (chan, drops.make(number as u64)))
    };
    let receive = |(mut set, _chans, number): (PortSet<_>, Vec<_>, usize)| {
        let (key, message): (_, Result<Counted, _>) = set.recv().expect("it has members");
        assert_eq!((key, message.map(|payload| payload.number)), (number % 3, Ok(number as u64)));
        if set.len() == 3 {
            assert_eq!(set.recv().map(|(key, message)| (key, message.map(drop))), Ok((key, Err(Closed))));
        }
    };
    counted_race(20_000, make, receive, |(mut chan, payload)| assert!(chan.send(payload).is_ok()));
}

/// Each message stays with the member, inside of the set or outside.
#[test_in(alone)]
fn a_removal_against_send() {
    let make = |number: usize, drops: &DropCounter| {
        let (chans, set) = waiting(2, Waker::noop());
        ((set, number), (chans, [drops.make(1), drops.make(2)]))
    };
    let remove = |(mut set, number): (PortSet<Port<Counted>>, usize)| {
        let mut port = set.remove(&0).expect("it is a member");
        if number.is_multiple_of(2) {
            assert_eq!(port.recv().map(|payload| payload.number), Ok(1));
        } else {
            assert!(set.insert_at(7, port).is_none());
        }
        let mut numbers: Vec<_> = set.messages().map(|payload| payload.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, if number.is_multiple_of(2) { vec![2] } else { vec![1, 2] });
    };
    counted_race(20_000, make, remove, |(chans, payloads)| send_each(chans, payloads));
}

#[test_in(alone)]
fn an_insertion_against_send() {
    let make = |number: usize, drops: &DropCounter| {
        let (chan, port) = stream();
        (port, (chan, [drops.make(number as u64), drops.make(number as u64 + 1)]))
    };
    let insert = |port| {
        let mut set = PortSet::new();
        set.insert(port);
        let mut numbers = set.messages().map(|payload: Counted| payload.number);
        let first = numbers.next().expect("it is sent");
        assert_eq!((numbers.next(), numbers.next()), (Some(first + 1), None));
    };
    counted_race(20_000, make, insert, |(mut chan, payloads)| {
        for payload in payloads {
            assert!(chan.send(payload).is_ok());
        }
    });
}

/// The set is dropped, with a waker or without one, while its members are sent to and close.
#[test_in(alone)]
fn a_dropped_set_against_sends() {
    let make = |number: usize, drops: &DropCounter| {
        let (wakes, waker) = WakeCounter::new();
        let (chans, mut set) = waiting(3, &waker);
        if number.is_multiple_of(3) {
            assert!(set.recv_timeout(Duration::ZERO).is_err());
        }
        ((set, wakes), (chans, [drops.make(1), drops.make(2), drops.make(3)]))
    };
    counted_race(10_000, make, drop, |(chans, payloads)| {
        for (mut chan, payload) in chans.into_iter().zip(payloads) {
            drop(chan.send(payload));
        }
    });
}

/// Waits that time out, and spurious polls with one waker and another, until all messages have come.
#[test_in(alone)]
fn waits_that_give_up_against_sends() {
    let random = Mutex::new(Rng::with_seed(3));
    let make = |number: usize, drops: &DropCounter| {
        let (chans, set) = waiting(3, Waker::noop());
        ((set, number), (chans, [0, 1, 2].map(|number| drops.make(number))))
    };
    let receive = |(mut set, number): (PortSet<Port<Counted>>, usize)| {
        let ((_one, first), (_two, second)) = (WakeCounter::new(), WakeCounter::new());
        let mut seen = Vec::new();
        while !set.is_empty() {
            let received = if number.is_multiple_of(2) {
                spin_while(|| poll(&mut set, &first).is_pending() && poll(&mut set, &second).is_pending());
                Some(set.try_recv().expect("it was said to be ready"))
            } else {
                let wait = Duration::from_nanos(random.lock().expect("not poisoned").u64(..3_000));
                set.recv_timeout(wait).ok()
            };
            seen.extend(received.map(|(key, message)| (key, message.map(|payload| payload.number).ok())));
        }
        seen.sort_unstable();
        assert!(seen.into_iter().eq((0..3).flat_map(|key| [(key, None), (key, Some(key as u64))])));
    };
    counted_race(8_000, make, receive, |(chans, payloads)| send_each(chans, payloads));
}
