//! Threads that receive from one queue in every way, and stop waiting again and again.

use super::streams;
use futures::executor::block_on;
use futures::future::{Either, ready, select};
use futures::{FutureExt, StreamExt};
use pipes::{RecvTimeoutError, SharedPort, TryRecvError, shared_sync_stream};
use pipes_tests::{Counted, Random, Tally, watched};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

const ROUNDS: u64 = if cfg!(miri) { 2 } else { 30 };
const MESSAGES: u64 = if cfg!(miri) { 20 } else { 400 };

/// What a receiver found: a message, the end, or nothing.
type Found = Result<Option<Counted>, ()>;

/// One receive, or an attempt at one, in a random way.
fn receives(port: &mut SharedPort<Counted>, random: &mut Random) -> Found {
    match random.below(8) {
        0 => port.recv().map(Some).map_err(drop),
        1 => match port.recv_timeout(Duration::from_micros(random.below(30))) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout(())) => Ok(None),
            Err(RecvTimeoutError::Closed) => Err(()),
        },
        2 => match port.try_recv() {
            Ok(message) => Ok(Some(message)),
            Err(TryRecvError::Empty(())) => Ok(None),
            Err(TryRecvError::Closed) => Err(()),
        },
        3 => block_on(port.recv_async()).map(Some).map_err(drop),
        4 => port.recv_async().now_or_never().transpose().map_err(drop),
        // A clone waits as a stream, and leaves with its place in the line.
        5 => {
            let mut other = port.clone();
            let heard = other.next().now_or_never();
            random.dawdle(200);
            heard.map(|message| message.ok_or(())).transpose()
        }
        // Two receives at once, one of which is given up.
        6 => {
            let mut other = port.clone();
            let (heard, _) = block_on(select(port.recv_async(), other.recv_async())).factor_first();
            heard.map(Some).map_err(drop)
        }
        _ => match block_on(select(port.recv_async(), ready(()))) {
            Either::Left((heard, _)) => heard.map(Some).map_err(drop),
            Either::Right(((), _)) => Ok(None),
        },
    }
}

#[test]
fn each_message_once() {
    watched(|| {
        let mut random = Random::new(0xacce55);
        for _ in 0..ROUNDS {
            for (mut send, port) in streams() {
                let tally = Tally::new();
                let made: Vec<Counted> = (0..MESSAGES).map(|number| tally.make(number)).collect();
                let mut pace = Random::new(random.below(u64::MAX));
                let sender = thread::spawn(move || {
                    for message in made {
                        pace.dawdle(300);
                        send(message);
                    }
                });
                let port = port.into_shared();
                let receivers = [(); 3].map(|()| {
                    let (mut port, mut random) = (port.clone(), Random::new(random.below(u64::MAX)));
                    thread::spawn(move || {
                        let mut numbers = Vec::new();
                        while let Ok(found) = receives(&mut port, &mut random) {
                            numbers.extend(found.map(|message| message.number));
                        }
                        assert!(port.is_closed() && !port.is_ready());
                        numbers
                    })
                });
                drop(port);
                let mut all = receivers.map(|receiver| receiver.join().expect("no panic")).concat();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..MESSAGES));
                sender.join().expect("no panic");
                tally.assert_all_gone();
            }
        }
    });
}

/// Tasks that each select among two queues share all messages; each finds both ends.
#[test]
fn tasks_select_among_two_queues() {
    watched(|| {
        for ((send, port), (other_send, other_port)) in streams().into_iter().zip(streams().into_iter().rev())
        {
            let tally = Tally::new();
            let senders = [send, other_send].map(|mut send| {
                let made: Vec<Counted> = (1..=MESSAGES).map(|number| tally.make(number)).collect();
                thread::spawn(move || made.into_iter().for_each(&mut send))
            });
            let (left, right) = (port.into_shared(), other_port.into_shared());
            let workers = [(); 3].map(|()| {
                let (mut left, mut right) = (left.clone(), right.clone());
                thread::spawn(move || {
                    let mut sum = 0;
                    let is_left_over = loop {
                        let heard = match block_on(select(left.recv_async(), right.recv_async())) {
                            Either::Left((heard, _)) => heard.map_err(|_| true),
                            Either::Right((heard, _)) => heard.map_err(|_| false),
                        };
                        match heard {
                            Ok(message) => sum += message.number,
                            Err(is_left) => break is_left,
                        }
                    };
                    let mut rest = if is_left_over { right } else { left };
                    sum + rest.iter().map(|message| message.number).sum::<u64>()
                })
            });
            drop((left, right));
            let sum: u64 = workers.into_iter().map(|worker| worker.join().expect("no panic")).sum();
            assert_eq!(sum, MESSAGES * (MESSAGES + 1));
            senders.into_iter().for_each(|sender| sender.join().expect("no panic"));
            tally.assert_all_gone();
        }
    });
}

/// No more than the capacity is unread, and the senders come to an end.
#[test]
fn no_more_than_the_capacity() {
    watched(|| {
        let mut random = Random::new(0xca9ac);
        for _ in 0..ROUNDS {
            let capacity = 1 + random.below(40);
            let (chan, port) = shared_sync_stream(capacity as usize);
            let port = port.into_shared();
            // Sends that are done, and receives that have begun.
            let (sent, begun) = (&AtomicU64::new(0), &AtomicU64::new(0));
            let tally = &Tally::new();
            thread::scope(|scope| {
                for _ in 0..2 {
                    let chan = chan.clone();
                    scope.spawn(move || {
                        for number in 0..MESSAGES {
                            chan.send(tally.make(number)).expect("the receivers are here");
                            let sent = sent.fetch_add(1, Ordering::SeqCst) + 1;
                            let begun = begun.load(Ordering::SeqCst);
                            assert!(sent <= begun + capacity, "{sent}, {begun}, {capacity}");
                        }
                    });
                }
                drop(chan);
                for _ in 0..3 {
                    let mut port = port.clone();
                    scope.spawn(move || {
                        begun.fetch_add(1, Ordering::SeqCst);
                        while port.recv().is_ok() {
                            begun.fetch_add(1, Ordering::SeqCst);
                        }
                    });
                }
            });
            assert!(port.is_closed());
            drop(port);
            tally.assert_all_gone();
        }
    });
}
