//! Receivers of one port that give up, are cancelled and leave, while they are sent to.

use crate::race::{alone, counted_race};
use futures::StreamExt;
use pipes::{Chan, SharedPort, stream};
use pipes_tests::{Counted, DropCounter, WakeCounter, poll_future, test_in};
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// A receiver that waits as a task does.
struct Waiting {
    port: SharedPort<Counted>,
    wakes: Arc<WakeCounter>,
    waker: Waker,
}

impl Waiting {
    fn at(mut port: SharedPort<Counted>) -> Self {
        let (wakes, waker) = WakeCounter::new();
        assert!(poll_future(&mut port.next(), &waker).is_pending());
        Waiting { port, wakes, waker }
    }

    /// What it receives once it is called. If it is never called, this hangs.
    fn receive(mut self) -> Option<Counted> {
        loop {
            while self.wakes.count() == 0 {
                thread::yield_now();
            }
            if let Poll::Ready(payload) = poll_future(&mut self.port.next(), &self.waker) {
                return payload;
            }
        }
    }
}

/// Two receivers that wait, and one message.
fn two(number: usize, drops: &DropCounter) -> ((Waiting, Waiting), (Chan<Counted>, Counted)) {
    let (chan, port) = stream();
    let port = port.into_shared();
    ((Waiting::at(port.clone()), Waiting::at(port)), (chan, drops.make(number as u64)))
}

/// The first of two is dropped while the message comes: the second one is called.
#[test_in(alone)]
fn a_cancelled_waiter_against_send() {
    let cancel = |(first, second): (Waiting, Waiting)| {
        drop(first);
        assert!(second.receive().is_some());
    };
    counted_race(6_000, two, cancel, |(mut chan, payload)| {
        assert!(chan.send(payload).is_ok());
    });
}

/// The first of two gives up, or takes what has come; in either case the second one is called.
#[test_in(alone)]
fn a_waiter_that_gives_up_against_sends() {
    let make = |number: usize, drops: &DropCounter| {
        let (waiting, (chan, payload)) = two(number, drops);
        (waiting, (chan, [payload, drops.make(7)]))
    };
    let give_up = |(first, second): (Waiting, Waiting)| {
        let received = first.port.recv_timeout(Duration::ZERO);
        let rest = first.port;
        assert!(second.receive().is_some());
        let rest = rest;
        let left = if received.is_ok() { None } else { rest.recv().ok() };
        assert_eq!(received.is_ok(), left.is_none(), "two were sent");
        assert!(rest.recv().is_err());
    };
    counted_race(12_000, make, give_up, |(mut chan, payloads)| {
        for payload in payloads {
            assert!(chan.send(payload).is_ok());
        }
    });
}

#[test_in(alone)]
fn a_cancelled_waiter_against_close() {
    let cancel = |(first, second): (Waiting, Waiting)| {
        drop(first);
        assert!(second.receive().is_none());
    };
    counted_race(15_000, two, cancel, drop);
}

/// The last two receivers leave while they are sent to.
#[test_in(alone)]
fn the_last_receivers_against_send() {
    counted_race(15_000, two, drop, |(mut chan, payload)| drop(chan.send(payload)));
}
