//! Streams and unbounded protocols: no allocation for a message after a warm-up.

use crate::{both_without_allocating, counting, without_allocating};
use futures::executor::block_on;
use futures::join;
use pipes::{Chan, Port, stream};
use pipes_tests::bank::{self, Account, Answer, Client, Server};
use pipes_tests::{Tally, watched};
use std::sync::{Arc, Barrier};
use std::thread;

/// Sends `length` messages and receives them.
fn run<T: PartialEq + std::fmt::Debug>(
    (chan, port): &mut (Chan<T>, Port<T>),
    length: u64,
    payload: impl Fn(u64) -> T,
) {
    (0..length).for_each(|number| chan.send(payload(number)).expect("the port is there"));
    (0..length).for_each(|number| assert_eq!(port.recv(), Ok(payload(number))));
}

#[test]
fn lone_messages_of_a_stream() {
    let mut ends = stream();
    (0..200).for_each(|_| run(&mut ends, 1, |number| number));
    without_allocating(|| (0..200_000).for_each(|_| run(&mut ends, 1, |number| number)));
}

#[test]
fn runs_of_a_stream() {
    let mut ends = stream();
    run(&mut ends, 400, |number| number);
    without_allocating(|| (0..1_000).for_each(|_| run(&mut ends, 200, |number| number)));
}

/// As many as fit into the blocks that are kept for the sender.
#[test]
fn long_runs_of_a_stream() {
    let mut small = stream();
    run(&mut small, 1_000, |number| number);
    without_allocating(|| (0..200).for_each(|_| run(&mut small, 900, |number| number)));
    let mut large = stream();
    run(&mut large, 40, |number| [[number; 25]; 25]);
    without_allocating(|| (0..200).for_each(|_| run(&mut large, 30, |number| [[number; 25]; 25])));
}

#[test]
fn runs_of_empty_values() {
    let mut ends = stream();
    run(&mut ends, 400, |_| ());
    without_allocating(|| (0..1_000).for_each(|_| run(&mut ends, 200, |_| ())));
}

type Ends = (Client<Account<u64>>, Server<Account<u64>>);

/// A customer who visits a bank.
struct Visits(Option<Ends>);

impl Visits {
    fn new() -> Self {
        Visits(Some(bank::pipe()))
    }

    /// Makes `length` deposits, all of them before the first is read, and a withdrawal, which turns the pipe
    /// round.
    fn visit(&mut self, length: u64) {
        let (mut client, mut server) = self.0.take().expect("it is put back after each visit");
        for number in 0..length {
            client = client.deposit(number).expect("the bank is there");
        }
        let client = client.withdraw(length).expect("the bank is there");
        for number in 0..length {
            let Ok(Account::Deposit(payload, next)) = server.recv() else { panic!("it was sent") };
            assert_eq!(payload, number);
            server = next;
        }
        let Ok(Account::Withdraw(amount, answering)) = server.recv() else { panic!("it was sent") };
        let server = answering.money(amount).expect("the customer is there");
        let Ok(Answer::Money(amount, client)) = client.recv() else { panic!("it was answered") };
        assert_eq!(amount, length);
        self.0 = Some((client, server));
    }
}

#[test]
fn lone_deposits() {
    let mut visits = Visits::new();
    (0..400).for_each(|_| visits.visit(1));
    without_allocating(|| (0..50_000).for_each(|_| visits.visit(1)));
}

/// Runs of one length, each followed by an answer.
#[test]
fn runs_of_deposits() {
    let mut visits = Visits::new();
    (0..400).for_each(|_| visits.visit(200));
    without_allocating(|| (0..1_000).for_each(|_| visits.visit(200)));
}

/// Both sides link blocks, so neither may keep blocks that the other one needs.
#[test]
fn runs_of_every_length() {
    let mut visits = Visits::new();
    (0..2_000).for_each(|round| visits.visit([0, 1, 2, 40, 200][round % 5]));
    without_allocating(|| (0..2_000).for_each(|round| visits.visit([0, 1, 2, 40, 200][round % 5])));
}

/// Two threads, one message at a time: the answer comes through a second stream.
#[test]
fn lock_step_between_threads() {
    watched(|| {
        let ((mut chan, mut port), (mut answer, mut answered)) = (stream(), stream());
        // Leaves the first blocks, which belong to the streams' own memory. Later a stream may stay in its
        // block for any number of rounds, namely if the receiver waits each time when the block ends.
        for round in 0..200 {
            chan.send(round).expect("the port is here");
            answer.send(round).expect("the port is here");
        }
        assert!((0..200).all(|round| (port.recv(), answered.recv()) == (Ok(round), Ok(round))));
        let both = Arc::new(Barrier::new(2));
        let theirs = both.clone();
        let mut echo = move |rounds: u64| {
            for round in 0..rounds {
                assert_eq!(port.recv(), Ok(round));
                answer.send(round).expect("the port is there");
            }
        };
        let mut call = move |rounds: u64| {
            for round in 0..rounds {
                chan.send(round).expect("the port is there");
                assert_eq!(answered.recv(), Ok(round));
            }
        };
        let other = thread::spawn(move || {
            echo(1_000);
            both_without_allocating(&theirs, || echo(50_000));
        });
        call(1_000);
        both_without_allocating(&both, || call(50_000));
        other.join().expect("the other thread allocates nothing");
    });
}

/// Two threads: runs of two hundred while the other side receives, in step by a barrier.
#[test]
fn runs_between_threads() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let pace = Arc::new(Barrier::new(2));
        let theirs = pace.clone();
        let other = thread::spawn(move || {
            theirs.wait();
            (0..400).for_each(|number| assert_eq!(port.recv(), Ok(number)));
            theirs.wait();
            both_without_allocating(&theirs, || {
                for _ in 0..2_000 {
                    (0..200).for_each(|number| assert_eq!(port.recv(), Ok(number)));
                    theirs.wait();
                }
            });
        });
        (0..400).for_each(|number| chan.send(number).expect("the port is there"));
        pace.wait();
        pace.wait();
        both_without_allocating(&pace, || {
            for _ in 0..2_000 {
                (0..200).for_each(|number| chan.send(number).expect("the port is there"));
                pace.wait();
            }
        });
        other.join().expect("the other thread allocates nothing");
    });
}

#[test]
fn tasks() {
    let allocations = |rounds: u64| {
        let (sum, info) = counting(|| {
            block_on(async {
                let ((mut chan, mut port), (mut answer, mut answered)) = (stream(), stream());
                let calls = async {
                    for round in 0..rounds {
                        chan.send(round).expect("the port is there");
                        assert_eq!(answered.recv_async().await, Ok(round));
                    }
                    drop(chan);
                };
                let echo = async {
                    let mut sum = 0;
                    while let Ok(round) = port.recv_async().await {
                        answer.send(round).expect("the port is there");
                        sum += round;
                    }
                    sum
                };
                join!(calls, echo).1
            })
        });
        assert_eq!(sum, rounds * (rounds - 1) / 2);
        (info.count_total, info.bytes_max, info.bytes_current)
    };
    // The executor keeps memory for the thread.
    allocations(200);
    let few = allocations(1_000);
    assert_eq!(few.2, 0, "all memory comes back");
    assert_eq!(few, allocations(200_000));
}

/// The memory of a million unread messages is freed when they are read.
#[test]
fn a_stream_that_was_long_once() {
    let ((), all) = counting(|| {
        let (ends, info) = counting(|| {
            let mut ends = stream();
            run(&mut ends, 1_000_000, |number| number);
            ends
        });
        assert!(info.bytes_max > 8_000_000, "they were kept somewhere: {info:?}");
        assert!(info.bytes_current < 32 * 1024, "{info:?}");
        drop(ends);
    });
    assert_eq!((all.bytes_current, all.count_current), (0, 0), "all of it comes back");
}

#[test]
fn a_protocol_that_was_long_once() {
    let ((), all) = counting(|| {
        let (ends, info) = counting(|| {
            let (mut client, mut server) = bank::pipe();
            for number in 0..300_000_u64 {
                client = client.deposit(number).expect("the bank is there");
            }
            for number in 0..300_000 {
                let Ok(Account::Deposit(payload, next)) = server.recv() else { panic!("it was sent") };
                assert_eq!(payload, number);
                server = next;
            }
            (client, server)
        });
        assert!(info.bytes_current < 32 * 1024, "{info:?}");
        drop(ends);
    });
    assert_eq!((all.bytes_current, all.count_current), (0, 0));
}

/// Allocators keep free lists for sizes below 1 KiB, header included, and take much longer for larger ones.
#[test]
fn blocks_are_small() {
    /// The size of a block, and how many messages it holds.
    fn block<T: PartialEq + std::fmt::Debug>(payload: impl Fn(u64) -> T) -> (u64, u64) {
        let mut ends = stream();
        let ((), info) = counting(|| run(&mut ends, 10_000, payload));
        assert!(info.count_total > 100, "{info:?}");
        (info.bytes_total / info.count_total, 10_000 / info.count_total)
    }
    for (bytes, _) in [
        block(|_| ()),
        block(|number| number),
        block(|number| [number; 3]),
        block(|number| [number; 15]),
        block(|number| [number; 30]),
    ] {
        assert!((500..=1_000).contains(&bytes), "{bytes} a block");
    }
    // If two messages do not fit into that, the size of the block does not matter.
    let (bytes, messages) = block(|number| [[number; 16]; 4]);
    assert!((2_000..=4_096).contains(&bytes) && messages >= 5, "{bytes} a block of {messages}");
}

/// For any number of unread messages, and for both orders of leaving.
#[test]
fn closing_gives_all_memory_back() {
    for length in (0..200).chain([1_000, 10_000]) {
        for chan_first in [false, true] {
            let ((), info) = counting(|| {
                let (mut chan, mut port) = stream();
                (0..length).for_each(|number| chan.send(Box::new(number)).expect("the port is there"));
                (0..length / 3).for_each(|number| assert_eq!(port.recv(), Ok(Box::new(number))));
                if chan_first {
                    drop(chan);
                    drop(port);
                } else {
                    drop(port);
                    assert!(chan.send(Box::new(1)).is_err());
                    assert!(chan.is_closed());
                }
            });
            assert_eq!((info.bytes_current, info.count_current), (0, 0), "{length} {chan_first} {info:?}");
        }
    }
}

/// A failed send has already linked a block: that is freed too.
#[test]
fn a_failed_send_at_the_end_of_a_block_leaks_nothing() {
    let tally = Tally::new();
    for length in 0..150 {
        let ((), info) = counting(|| {
            let (mut client, server) = bank::pipe();
            for number in 0..length {
                client = client.deposit(tally.make(number)).expect("the bank is there");
            }
            drop(server);
            drop(client.deposit(tally.make(0)).unwrap_err());
        });
        assert_eq!(info.bytes_current, 0, "{length}");
    }
    tally.assert_all_gone();
}
