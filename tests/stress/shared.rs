//! Many senders and one receiver, with counted destructors.

use crate::race::{alone, race};
use pipes::{Port, RecvTimeoutError, SharedChan, shared_stream};
use pipes_tests::{Bell, Counted, Random, Tally, caught, effort, poll};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

const SENDERS: u64 = 4;

/// A number that tells which sender sent it, and its place among that sender's messages.
fn number(sender: u64, index: u64) -> u64 {
    sender << 32 | index
}

/// Checks that the messages of each sender come in order, with nothing left out.
#[derive(Default)]
struct Orders([u64; SENDERS as usize]);

impl Orders {
    #[track_caller]
    fn came(&mut self, number: u64) {
        let next = &mut self.0[(number >> 32) as usize];
        assert_eq!(*next, number & u64::from(u32::MAX), "the next number of its sender");
        *next += 1;
    }
}

/// Lets `SENDERS` threads send, each with an end of its own, while `receive` has the port.
fn fan_in<T: Send>(send: impl Fn(u64, SharedChan<T>) + Sync, receive: impl FnOnce(Port<T>) + Send) {
    let (chan, port) = shared_stream();
    thread::scope(|scope| {
        for sender in 0..SENDERS {
            let (chan, send) = (chan.clone(), &send);
            scope.spawn(move || send(sender, chan));
        }
        drop(chan);
        receive(port);
    });
}

#[test]
fn everything_comes_in_order_to_a_thread() {
    alone(|| {
        let tally = Tally::new();
        let send = |sender, chan: SharedChan<Counted>| {
            let mut random = Random::new(sender);
            for index in 0..effort(100_000) as u64 {
                assert!(chan.send(tally.make(number(sender, index))).is_ok());
                random.dawdle(30);
            }
        };
        let receive = |mut port: Port<Counted>| {
            let mut orders = Orders::default();
            for value in &mut port {
                orders.came(value.number);
            }
            assert_eq!(orders.0, [effort(100_000) as u64; SENDERS as usize]);
            assert!(port.recv().is_err(), "once closed, always closed");
        };
        fan_in(send, receive);
        tally.assert_all_gone();
    });
}

/// Every kind of receive in turn, so that each may find another one's waiter.
#[test]
fn everything_comes_in_order_to_a_receiver_that_cannot_decide() {
    alone(|| {
        let send = |sender, chan: SharedChan<u64>| {
            let mut random = Random::new(sender);
            for index in 0..effort(50_000) as u64 {
                assert!(chan.send(number(sender, index)).is_ok());
                random.dawdle(300);
            }
        };
        let receive = |mut port: Port<u64>| {
            let (mut random, mut orders) = (Random::new(9), Orders::default());
            let (bell, waker) = Bell::new();
            loop {
                let value = match random.below(5) {
                    0 => port.try_recv().ok(),
                    1 => {
                        let ready = poll(&mut port, &waker).is_ready();
                        let value = port.try_recv().ok();
                        assert!(!ready || value.is_some() || port.is_closed());
                        value
                    }
                    2 => {
                        let _ = poll(&mut port, Waker::noop());
                        None
                    }
                    3 => port.recv_timeout(Duration::from_nanos(random.below(20_000))).ok(),
                    _ => match port.recv() {
                        Ok(value) => Some(value),
                        Err(_) => break,
                    },
                };
                value.into_iter().for_each(|value| orders.came(value));
            }
            assert_eq!(orders.0, [effort(50_000) as u64; SENDERS as usize]);
            drop((port, waker));
            assert_eq!(bell.wakers(), 0, "a waker was leaked");
        };
        fan_in(send, receive);
    });
}

/// A message whose send has returned can be received, even if another sender is in the middle of an earlier
/// send.
#[test]
fn what_was_sent_is_there() {
    alone(|| {
        let sent = AtomicUsize::new(0);
        let send = |_, chan: SharedChan<()>| {
            for _ in 0..effort(100_000) {
                assert!(chan.send(()).is_ok());
                sent.fetch_add(1, Ordering::SeqCst);
            }
        };
        let receive = |mut port: Port<()>| {
            let mut received = 0;
            while received < effort(100_000) * SENDERS as usize {
                let at_least = sent.load(Ordering::SeqCst);
                assert!(received >= at_least || port.is_ready(), "{at_least} were sent, {received} received");
                match port.try_recv() {
                    Ok(()) => received += 1,
                    Err(_) => assert!(received >= at_least, "{at_least} were sent, {received} received"),
                }
            }
            assert!(port.recv().is_err());
        };
        fan_in(send, receive);
    });
}

/// The port leaves in the middle: what is not received goes back to its sender, or is dropped with the port.
#[test]
fn a_port_that_leaves_early() {
    alone(|| {
        let tally = Tally::new();
        let mut random = Random::new(1);
        for _ in 0..effort(300) {
            let stay = random.below(effort(2000) as u64);
            let send = |sender, chan: SharedChan<Counted>| {
                for index in 0.. {
                    if let Err(error) = chan.send(tally.make(number(sender, index))) {
                        assert_eq!(error.into_payload().number, number(sender, index), "its own value");
                        assert!(chan.is_closed());
                        break;
                    }
                }
            };
            fan_in(send, |mut port| port.iter().take(stay as usize).for_each(drop));
            tally.assert_all_gone();
        }
    });
}

/// Some of what the port leaves unread panics when it is dropped.
#[test]
fn a_port_that_leaves_bombs_behind() {
    alone(|| {
        let tally = Tally::new();
        for round in 0..effort(300) as u64 {
            let send = |sender, chan: SharedChan<Counted>| {
                for index in 0.. {
                    let bomb = sender == 0 && index == round % 50;
                    let value = if bomb { tally.make_bomb(index) } else { tally.make(index) };
                    if let Err(error) = chan.send(value) {
                        caught(|| drop(error.into_payload()));
                        break;
                    }
                }
            };
            fan_in(send, |mut port: Port<Counted>| {
                let early: Vec<_> = port.iter().take(round as usize % 40).collect();
                caught(|| drop(port));
                early.into_iter().for_each(|value| drop(caught(|| drop(value))));
            });
            tally.assert_all_gone();
        }
    });
}

#[test]
fn polled_and_dropped_against_sends() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, mut port) = shared_stream();
            for number in 0..number as u64 % 40 {
                assert!(chan.send(tally.make(number)).is_ok());
            }
            port.try_iter().take(number % 41).for_each(drop);
            let _ = poll(&mut port, Waker::noop());
            (port, (chan, [tally.make(1), tally.make(2), tally.make(3)]))
        };
        race(30_000, make, drop, |(chan, payloads)| {
            for payload in payloads {
                drop(chan.send(payload));
            }
        });
        tally.assert_all_gone();
    });
}

/// The payloads are large, so that a block has few slots, and the senders are at its end most of the time.
#[test]
fn sends_against_sends_at_the_end_of_a_block() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, mut port) = shared_stream();
            for number in 0..number as u64 % 5 {
                assert!(chan.send((tally.make(number), [0_u64; 200])).is_ok());
            }
            port.try_iter().take(number % 3).for_each(drop);
            ((chan.clone(), port, tally.make(8)), (chan, tally.make(9)))
        };
        let left = |(chan, mut port, payload): (SharedChan<_>, Port<_>, _)| {
            assert!(chan.send((payload, [0; 200])).is_ok());
            drop(chan);
            assert!(port.iter().filter(|(value, _): &(Counted, _)| value.number >= 8).count() == 2);
        };
        race(30_000, make, left, |(chan, payload)| {
            assert!(chan.send((payload, [0; 200])).is_ok());
        });
        tally.assert_all_gone();
    });
}

/// The last sender to leave closes the stream.
#[test]
fn senders_that_come_and_go() {
    alone(|| {
        race(
            50_000,
            |number| {
                let (chan, mut port) = shared_stream::<u64>();
                if number % 2 == 0 {
                    assert!(poll(&mut port, Waker::noop()).is_pending());
                }
                ((chan.clone(), port), chan)
            },
            |(chan, mut port)| {
                drop(chan);
                match port.recv_timeout(Duration::from_secs(20)) {
                    Ok(value) => assert_eq!(value, 7),
                    Err(error) => assert_eq!(error, RecvTimeoutError::Closed),
                }
                assert_eq!(port.recv_timeout(Duration::from_secs(20)), Err(RecvTimeoutError::Closed));
            },
            |chan| {
                let again = chan.clone();
                drop(chan);
                assert!(again.send(7).is_ok());
            },
        );
    });
}

/// A waker that panics affects only the send that calls it: the message is sent.
#[test]
fn a_panicking_waker() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, mut port) = shared_stream();
            let (_, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
            assert!(poll(&mut port, &waker).is_pending());
            (port, (chan, tally.make(number as u64)))
        };
        race(
            20_000,
            make,
            |mut port| drop(port.try_recv()),
            |(chan, payload)| {
                caught(|| drop(chan.send(payload)));
                drop(chan);
            },
        );
        tally.assert_all_gone();
    });
}

/// A weak sender becomes a sender and sends while the last sender leaves: what it has sent is received, and
/// the stream closes.
#[test]
fn a_weak_sender_against_the_last_one() {
    alone(|| {
        let tally = Tally::new();
        let [sent, received] = [const { AtomicUsize::new(0) }; 2];
        let make = |_| {
            let (chan, port) = shared_stream::<Counted>();
            let weak = chan.downgrade();
            (chan, (weak, port))
        };
        race(60_000, make, drop, |(weak, mut port)| {
            if let Some(chan) = weak.upgrade() {
                assert!(chan.send(tally.make(1)).is_ok());
                sent.fetch_add(1, Ordering::Relaxed);
            }
            received.fetch_add(port.iter().count(), Ordering::Relaxed);
            assert!(weak.upgrade().is_none());
        });
        assert_eq!(received.into_inner(), sent.into_inner());
        tally.assert_all_gone();
    });
}
