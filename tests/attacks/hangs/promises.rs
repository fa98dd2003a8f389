//! At capacity 0 both sides give up at any moment: a receiver promises to take an offer and does not, or an
//! offer is withdrawn before its receiver looks. The senders that wait for them must learn of it.

use pipes::{Port, PortSet, SendTimeoutError, TrySendError, oneshot, select2, sync_stream};
use pipes_tests::{Bell, Random, effort, poll, poll_future, watched};
use std::mem::forget;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// Breaks a receiver's promise in one of several ways. Returns the port if the promise is still to be kept.
fn break_promise(port: Port<u32>, how: usize) -> Option<Port<u32>> {
    match how {
        0 => drop(port),
        1 => drop(port.into_shared()),
        2 => {
            let mut set = PortSet::new();
            set.insert(port);
            assert!(set.is_ready());
            drop(set);
        }
        3 => {
            let panics = thread::spawn(move || {
                let _port = port;
                panic!("the promise is broken by this");
            });
            assert!(panics.join().is_err());
        }
        4 => {
            let mut shared = port.into_shared();
            let mut waits = shared.clone();
            assert!(poll_future(&mut waits.recv_async(), Waker::noop()).is_ready(), "it is offered");
            drop(waits);
            assert!(shared.try_recv().is_err(), "and taken");
        }
        _ => return Some(port),
    }
    None
}

#[test]
fn a_sender_learns_that_a_promise_is_broken() {
    watched(|| {
        for how in 0..6 {
            let (mut chan, mut port) = sync_stream(0);
            let (bell, waker) = Bell::new();
            let mut sending = chan.send_async(7);
            assert!(poll_future(&mut sending, &waker).is_pending());
            assert!(poll(&mut port, Waker::noop()).is_ready(), "that is the promise");
            let kept = break_promise(port, how);
            if let Some(mut port) = kept {
                // The sender forgets its future: the offer must still be there.
                forget(sending);
                assert_eq!(port.try_recv(), Ok(7));
            } else {
                assert_eq!(bell.rings(), 1);
                let Poll::Ready(sent) = poll_future(&mut sending, &waker) else {
                    panic!("it was woken in vain")
                };
                assert_eq!(sent.is_ok(), how == 4);
            }
        }
    });
}

/// The future of an offer is forgotten, and the chan is used again: its next sends must wait until that offer
/// is taken.
#[test]
fn a_forgotten_offer() {
    watched(|| {
        for capacity in 0..3 {
            let (mut chan, mut port) = sync_stream(capacity);
            for number in 0..=capacity {
                let mut sending = chan.send_async(number);
                let is_sent = poll_future(&mut sending, Waker::noop()).is_ready();
                assert_eq!(is_sent, number < capacity);
                forget(sending);
            }
            // At other capacities the last message was not in the stream, and went with its future.
            let offered = usize::from(capacity == 0);
            let receiver = thread::spawn(move || {
                let all: Vec<usize> = port.iter().collect();
                all
            });
            chan.send(100).expect("it is received");
            assert!(!chan.wait_closed_timeout(Duration::ZERO));
            drop(chan);
            let mut expected: Vec<usize> = (0..capacity + offered).collect();
            expected.push(100);
            assert_eq!(receiver.join().expect("it does not panic"), expected);
        }
    });
}

/// Both sides use every way that gives up, against each other, until all messages have come. What one side's
/// call reports must be true for the other side.
#[test]
fn both_sides_give_up_again_and_again() {
    for seed in 0..4 {
        watched(move || {
            const MESSAGES: u32 = effort(3_000) as u32;
            let (mut chan, mut port) = sync_stream(0);
            let sender = thread::spawn(move || {
                let mut random = Random::new(seed);
                let mut number = 0;
                while number < MESSAGES {
                    let is_sent = match random.below(5) {
                        0 => match chan.try_send(number) {
                            Ok(()) => true,
                            Err(TrySendError::Full(back)) => back != number,
                            Err(TrySendError::Closed(_)) => panic!("it is received to the end"),
                        },
                        1 => match chan.send_timeout(number, Duration::from_nanos(random.below(30_000))) {
                            Ok(()) => true,
                            Err(SendTimeoutError::Timeout(back)) => back != number,
                            Err(SendTimeoutError::Closed(_)) => panic!("it is received to the end"),
                        },
                        2 => {
                            let mut sending = chan.send_async(number);
                            let polled = poll_future(&mut sending, Waker::noop());
                            polled.is_ready() || sending.into_inner().is_none()
                        }
                        3 => futures::executor::block_on(chan.send_async(number)).is_ok(),
                        _ => chan.send(number).is_ok(),
                    };
                    number += u32::from(is_sent);
                }
            });
            let mut random = Random::new(!seed);
            let mut next = 0;
            while next < MESSAGES {
                let got = match random.below(6) {
                    0 => port.recv_timeout(Duration::from_nanos(random.below(30_000))).ok(),
                    1 => port.try_recv().ok(),
                    2 => {
                        let (_silent, silent) = oneshot::<u32>();
                        let either = select2(&mut port, silent);
                        either.left().and_then(|(message, _)| message.ok())
                    }
                    3 => {
                        let _promise = poll(&mut port, Waker::noop());
                        None
                    }
                    4 => futures::executor::block_on(port.recv_async()).ok(),
                    _ => port.recv().ok(),
                };
                if let Some(got) = got {
                    assert_eq!(got, next);
                    next += 1;
                }
            }
            sender.join().expect("it does not panic");
        });
    }
}
