//! A sender that waits for the close, against a receiver that leaves, or that waits as well.

use crate::race::{alone, race};
use pipes::{Closing, Readiness};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Bell, Random, Tally, bank, effort, poll};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

/// Polls a watch once.
fn is_closed(end: &mut impl Closing, waker: &Waker) -> bool {
    end.poll_closed(&mut Context::from_waker(waker)).is_ready()
}

/// After a spurious wake-up, the sender may see the close before the receiver has dropped its waker: this
/// decides which side frees.
#[test]
fn polled_and_dropped_against_drop() {
    alone(|| {
        let (bell, waker) = Bell::new();
        let make = |_| {
            let (mut chan, port) = pipes::oneshot::<u64>();
            assert!(!is_closed(&mut chan, &waker));
            (chan, port)
        };
        let left = |mut chan| {
            is_closed(&mut chan, &waker);
            drop(chan);
        };
        race(200_000, make, left, drop);
        assert!(bell.rings() <= effort(200_000));
        assert_eq!(bell.wakers(), 1, "every watch was given up or answered");
    });
}

#[test]
fn sent_after_a_watch_against_drop() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut client, server) = bank::pipe();
            for unread in 0..number as u64 % 5 {
                client = client.deposit(tally.make(unread)).unwrap();
            }
            assert!(!is_closed(&mut client, Waker::noop()));
            ((client, tally.make(number as u64)), server)
        };
        let left = |(mut client, payload): (bank::Client<_>, _)| {
            is_closed(&mut client, Waker::noop());
            match client.deposit(payload) {
                Ok(mut client) => client.wait_closed(),
                Err(error) => drop(error.into_payload()),
            }
        };
        race(50_000, make, left, drop);
        tally.assert_all_gone();
    });
}

/// Both sides mark the word and unmark it, and then a message is sent through the slot.
#[test]
fn watched_and_sent_against_waited_and_received() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (client, server) = pingpong::pipe();
            ((client, tally.make(number as u64), Random::new(number as u64)), server)
        };
        let left = |(mut client, payload, mut random): (pingpong::Client<_>, _, Random)| {
            for _ in 0..random.below(3) {
                assert!(!is_closed(&mut client, &Bell::new().1));
                assert!(random.below(2) == 0 || !client.wait_closed_timeout(Duration::ZERO));
            }
            assert!(client.ping(payload).expect("the server is there").recv().is_err());
        };
        let right = |mut server: pingpong::Server<_>| {
            let (_bell, waker) = Bell::new();
            let _ = poll(&mut server, &waker);
            let _ = server.wait(Some(Instant::now()));
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings") };
            drop((payload, server));
        };
        race(50_000, make, left, right);
        tally.assert_all_gone();
    });
}

/// Threads that park until the close.
#[test]
fn waited_against_drop() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut chan, port) = pipes::stream();
            for unread in 0..number as u64 % 100 {
                chan.send(tally.make(unread)).unwrap();
            }
            (chan, port)
        };
        let left = |mut chan: pipes::Chan<_>| {
            chan.wait_closed();
            assert!(chan.send(tally.make(0)).is_err());
        };
        race(10_000, make, left, drop);
        tally.assert_all_gone();
    });
}
