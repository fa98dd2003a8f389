//! Receivers of one port that give up, are cancelled and leave, while they are sent to.

use crate::race::{alone, race};
use futures::StreamExt;
use futures::executor::block_on;
use pipes::{Chan, Port, RecvTimeoutError, SharedPort, TryRecvError, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, poll_future};
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// A receiver that waits as a task does.
struct Waiting {
    port: SharedPort<Counted>,
    bell: Arc<Bell>,
    waker: Waker,
}

impl Waiting {
    fn at(mut port: SharedPort<Counted>) -> Self {
        let (bell, waker) = Bell::new();
        assert!(poll_future(&mut port.next(), &waker).is_pending());
        Waiting { port, bell, waker }
    }

    /// What it receives once it is called. If it is never called, this hangs.
    fn receive(mut self) -> Option<Counted> {
        loop {
            while self.bell.rings() == 0 {
                thread::yield_now();
            }
            if let Poll::Ready(payload) = poll_future(&mut self.port.next(), &self.waker) {
                return payload;
            }
        }
    }
}

/// Two receivers that wait, and one message.
fn two(number: usize, tally: &Tally) -> ((Waiting, Waiting), (Chan<Counted>, Counted)) {
    let (chan, port) = stream();
    let port = port.into_shared();
    ((Waiting::at(port.clone()), Waiting::at(port)), (chan, tally.make(number as u64)))
}

/// The first of two is dropped while the message comes: the second one is called.
#[test]
fn a_cancelled_waiter_against_send() {
    alone(|| {
        let tally = Tally::new();
        let cancel = |(first, second): (Waiting, Waiting)| {
            drop(first);
            assert!(second.receive().is_some());
        };
        race(
            50_000,
            |number| two(number, &tally),
            cancel,
            |(mut chan, payload)| {
                assert!(chan.send(payload).is_ok());
            },
        );
        tally.assert_all_gone();
    });
}

/// The first of two gives up, or takes what has come; in either case the second one is called.
#[test]
fn a_waiter_that_gives_up_against_sends() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (waiting, (chan, payload)) = two(number, &tally);
            (waiting, (chan, [payload, tally.make(7)]))
        };
        let give_up = |(mut first, second): (Waiting, Waiting)| {
            let received = first.port.recv_timeout(Duration::ZERO);
            let rest = first.port;
            assert!(second.receive().is_some());
            let mut rest = rest;
            let left = if received.is_ok() { None } else { rest.recv().ok() };
            assert_eq!(received.is_ok(), left.is_none(), "two were sent");
            assert!(rest.recv().is_err());
        };
        race(30_000, make, give_up, |(mut chan, payloads)| {
            for payload in payloads {
                assert!(chan.send(payload).is_ok());
            }
        });
        tally.assert_all_gone();
    });
}

#[test]
fn a_cancelled_waiter_against_close() {
    alone(|| {
        let tally = Tally::new();
        let cancel = |(first, second): (Waiting, Waiting)| {
            drop(first);
            assert!(second.receive().is_none());
        };
        race(50_000, |number| two(number, &tally), cancel, drop);
        tally.assert_all_gone();
    });
}

/// The last two receivers leave while they are sent to.
#[test]
fn the_last_receivers_against_send() {
    alone(|| {
        let tally = Tally::new();
        race(50_000, |number| two(number, &tally), drop, |(mut chan, payload)| drop(chan.send(payload)));
        tally.assert_all_gone();
    });
}

/// Receives with every verb, and cancels often; returns how many it received, and their sum.
fn receive(mut port: SharedPort<Counted>, mut random: Random) -> [u64; 2] {
    let mut received = [0; 2];
    loop {
        let payload = match random.below(6) {
            0 => port.recv().map_err(|_| TryRecvError::Closed),
            1 => port.try_recv(),
            2 => port.recv_timeout(Duration::from_nanos(random.below(5_000))).map_err(|error| match error {
                RecvTimeoutError::Timeout(()) => TryRecvError::Empty(()),
                RecvTimeoutError::Closed => TryRecvError::Closed,
            }),
            3 => block_on(port.recv_async()).map_err(|_| TryRecvError::Closed),
            4 => {
                let mut waiting = port.recv_async();
                match poll_future(&mut waiting, Waker::noop()) {
                    Poll::Ready(payload) => payload.map_err(|_| TryRecvError::Closed),
                    Poll::Pending => {
                        random.dawdle(500);
                        Err(TryRecvError::Empty(()))
                    }
                }
            }
            _ => {
                // Waits in one clone, goes on with another.
                let next = port.clone();
                let waits = poll_future(&mut port.next(), Waker::noop());
                port = next;
                match waits {
                    Poll::Ready(Some(payload)) => Ok(payload),
                    Poll::Ready(None) => Err(TryRecvError::Closed),
                    Poll::Pending => Err(TryRecvError::Empty(())),
                }
            }
        };
        match payload {
            Ok(payload) => received = [received[0] + 1, received[1] + payload.number],
            Err(TryRecvError::Empty(())) => {}
            Err(TryRecvError::Closed) => return received,
        }
    }
}

const MESSAGES: u64 = if cfg!(miri) { 6 } else { 3_000 };

/// A stream of one kind with one sending thread or more; returns the threads.
fn filled(kind: u64, tally: &Tally) -> (Port<Counted>, Vec<thread::JoinHandle<()>>) {
    let tally = tally.clone();
    match kind {
        0 => {
            let (mut chan, port) = stream();
            let send =
                move || (0..MESSAGES).for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
            (port, vec![thread::spawn(send)])
        }
        1 | 2 => {
            let (mut chan, port) = sync_stream(kind as usize - 1);
            let send =
                move || (0..MESSAGES).for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
            (port, vec![thread::spawn(send)])
        }
        _ => {
            let (chan, port) = shared_stream();
            let senders = (0..3)
                .map(|sender| {
                    let (chan, tally) = (chan.clone(), tally.clone());
                    thread::spawn(move || {
                        let numbers = (0..MESSAGES).filter(|number| number % 3 == sender);
                        numbers.for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
                    })
                })
                .collect();
            (port, senders)
        }
    }
}

/// However many receives are cancelled, each message is received once.
#[test]
fn receivers_that_cancel() {
    alone(|| {
        for seed in 0..if cfg!(miri) { 4 } else { 20 } {
            let tally = Tally::new();
            let (port, senders) = filled(seed % 4, &tally);
            let port = port.into_shared();
            let receivers: Vec<_> = (0..3)
                .map(|receiver| {
                    let (port, random) = (port.clone(), Random::new(seed * 10 + receiver));
                    thread::spawn(move || receive(port, random))
                })
                .collect();
            drop(port);
            let mut all = [0; 2];
            for receiver in receivers {
                let received = receiver.join().expect("no receiver panics");
                all = [all[0] + received[0], all[1] + received[1]];
            }
            assert_eq!(all, [MESSAGES, (0..MESSAGES).sum()]);
            senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
            tally.assert_all_gone();
        }
    });
}
