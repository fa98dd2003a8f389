//! Bounded streams: both sides use random verbs, and nothing is lost, doubled or leaked.

use crate::race::{alone, race};
use futures::executor::block_on;
use pipes::{Chan, Port, TryRecvError};
use pipes_tests::{Counted, Random, Tally, effort, poll, poll_future};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

/// How often each capacity is tried.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 10 };
const CAPACITIES: [usize; 5] = [0, 1, 2, 3, 64];

/// Sends one payload with a random verb. Returns whether it was sent.
fn send(chan: &mut Chan<Counted>, payload: Counted, random: &mut Random) -> bool {
    match random.below(8) {
        0 | 1 => chan.send(payload).is_ok(),
        2 => chan.try_send(payload).is_ok(),
        3 => chan.send_timeout(payload, Duration::from_micros(random.below(20))).is_ok(),
        4 => block_on(chan.send_async(payload)).is_ok(),
        5 => {
            let _ = chan.poll_closed(&mut Context::from_waker(Waker::noop()));
            chan.send(payload).is_ok()
        }
        _ => {
            let mut sending = chan.send_async(payload);
            if let Poll::Ready(sent) = poll_future(&mut sending, Waker::noop()) {
                return sent.is_ok();
            }
            random.dawdle(50);
            if random.below(2) == 0 { block_on(sending).is_ok() } else { sending.into_inner().is_none() }
        }
    }
}

/// Receives with a random verb; `Closed` at the end.
fn receive(port: &mut Port<Counted>, random: &mut Random) -> Result<Counted, TryRecvError> {
    let empty = TryRecvError::Empty(());
    match random.below(7) {
        0 | 1 => port.recv().map_err(|_| TryRecvError::Closed),
        2 => port.try_recv(),
        3 => port
            .recv_timeout(Duration::from_micros(random.below(20)))
            .map_err(|error| if error.is_closed() { TryRecvError::Closed } else { empty }),
        4 => block_on(port.recv_async()).map_err(|_| TryRecvError::Closed),
        5 => {
            let _ = poll(port, Waker::noop());
            random.dawdle(50);
            Err(empty)
        }
        _ if poll(port, Waker::noop()).is_ready() => {
            let received = port.try_recv();
            assert_ne!(received.as_ref().err(), Some(&empty), "what is ready stays ready");
            received
        }
        _ => Err(empty),
    }
}

/// Everything that was reported as sent arrives, in order, and nothing else.
#[test]
fn everything_that_is_sent_arrives() {
    alone(|| {
        for (round, capacity) in CAPACITIES.into_iter().cycle().take(CAPACITIES.len() * ROUNDS).enumerate() {
            let tally = Tally::new();
            let (mut chan, mut port) = pipes::sync_stream(capacity);
            let made = tally.clone();
            let sender = thread::spawn(move || {
                let mut random = Random::new(2 * round as u64);
                let sent = (0..effort(2_000) as u64)
                    .filter(|&number| send(&mut chan, made.make(number), &mut random));
                sent.collect::<Vec<_>>()
            });
            let mut random = Random::new(2 * round as u64 + 1);
            let mut received = Vec::new();
            loop {
                match receive(&mut port, &mut random) {
                    Ok(payload) => received.push(payload.number),
                    Err(TryRecvError::Empty(())) => {}
                    Err(TryRecvError::Closed) => break,
                }
            }
            assert_eq!(received, sender.join().expect("the sender does not panic"), "capacity {capacity}");
            tally.assert_all_gone();
        }
    });
}

/// The port leaves in the middle: what was sent and not received is dropped, and it is no more than there was
/// room for.
#[test]
fn a_port_that_leaves_in_the_middle() {
    alone(|| {
        for (round, capacity) in
            CAPACITIES.into_iter().cycle().take(effort(1_000).max(CAPACITIES.len())).enumerate()
        {
            let tally = Tally::new();
            let (mut chan, mut port) = pipes::sync_stream(capacity);
            let made = tally.clone();
            let sender = thread::spawn(move || {
                let mut random = Random::new(3 * round as u64);
                let mut sent = 0;
                while !chan.is_closed() {
                    sent += usize::from(send(&mut chan, made.make(0), &mut random));
                }
                assert!(chan.send(made.make(0)).is_err(), "once closed, always closed");
                sent
            });
            let mut random = Random::new(3 * round as u64 + 1);
            let turns = random.below(100);
            let mut received = 0;
            for _ in 0..turns {
                received += usize::from(receive(&mut port, &mut random).is_ok());
            }
            drop(port);
            let sent = sender.join().expect("the sender does not panic");
            assert!(received <= sent, "capacity {capacity}");
            // Even while the port drops what it finds, no more is sent than there is room for.
            let lost = sent - received;
            assert!(lost <= capacity.max(1), "capacity {capacity}: {lost} sent and not received");
            tally.assert_all_gone();
        }
    });
}

/// A stream that is full.
fn full(tally: &Tally, capacity: usize) -> (Chan<Counted>, Port<Counted>) {
    let (mut chan, port) = pipes::sync_stream(capacity);
    for number in 0..capacity {
        assert!(chan.try_send(tally.make(number as u64)).is_ok());
    }
    (chan, port)
}

/// A sender that waits for room, or for its offer to be taken, against a port that leaves.
#[test]
fn waiting_against_close() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, port) = full(&tally, number % 3);
            (port, (chan, tally.make(9)))
        };
        race(60_000, make, drop, |(mut chan, payload)| {
            assert_eq!(chan.send(payload).map_err(|back| back.into_payload().number), Err(9));
        });
        tally.assert_all_gone();
    });
}

/// A future that waits for room, or for its offer to be taken, is dropped while the port receives.
#[test]
fn a_dropped_send_against_a_receive() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut chan, port) = full(&tally, number % 3);
            let mut sending = Box::new(chan.send_async(tally.make(9)));
            assert!(poll_future(&mut sending, Waker::noop()).is_pending());
            drop(sending);
            ((chan, tally.make(9)), port)
        };
        let send_and_drop = |(mut chan, payload): (Chan<_>, _)| {
            let mut sending = chan.send_async(payload);
            let _ = poll_future(&mut sending, Waker::noop());
        };
        race(200_000, make, send_and_drop, |mut port| {
            drop(port.try_recv());
            drop(port);
        });
        tally.assert_all_gone();
    });
}

/// A port that was polled is dropped while a message is sent to it.
#[test]
fn a_polled_port_dropped_against_a_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, mut port) = pipes::sync_stream(number % 2);
            assert!(poll(&mut port, Waker::noop()).is_pending());
            (port, (chan, tally.make(number as u64)))
        };
        race(200_000, make, drop, |(mut chan, payload)| drop(chan.try_send(payload)));
        tally.assert_all_gone();
    });
}
