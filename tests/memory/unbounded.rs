//! Streams and unbounded protocols: no allocation for a message after a warm-up.

use crate::{assert_all_comes_back, counting, same_for_few_and_many, without_allocating};
use futures::join;
use pipes::{Chan, Port, stream, sync_stream};
use pipes_tests::bank::{self, Account, Answer, Client, Server};
use std::fmt::Debug;

/// Sends `length` messages and receives them.
fn run<T: PartialEq + Debug>((chan, port): &mut (Chan<T>, Port<T>), length: u64, payload: impl Fn(u64) -> T) {
    (0..length).for_each(|number| chan.send(payload(number)).expect("the port is there"));
    (0..length).for_each(|number| assert_eq!(port.recv(), Ok(payload(number))));
}

/// As long as they fit into the blocks that are kept for the sender.
#[test]
fn runs_of_a_stream() {
    fn warm<T: PartialEq + Debug>(length: u64, times: u64, payload: impl Fn(u64) -> T + Copy) {
        let mut ends = stream();
        (0..200).for_each(|_| run(&mut ends, length, payload));
        without_allocating(|| (0..times).for_each(|_| run(&mut ends, length, payload)));
    }
    warm(1, 200_000, |number| number);
    warm(200, 1_000, |number| number);
    warm(900, 200, |number| number);
    warm(200, 1_000, |_| ());
    warm(30, 200, |number| [[number; 25]; 25]);
}

/// Runs that are sent and received at once need only the memory of the stream and of the vectors.
#[test]
fn runs_at_once() {
    for (mut chan, mut port) in [stream(), sync_stream(100)] {
        let (mut values, mut received) = (Vec::with_capacity(100), Vec::with_capacity(100));
        let mut round = || {
            for length in [1, 2, 63, 100] {
                values.extend(0..length);
                chan.send_all(&mut values).expect("the port is there");
                while received.len() < length {
                    port.recv_many(&mut received, 100).expect("they were sent");
                }
                assert!(received.drain(..).eq(0..length));
            }
        };
        (0..10).for_each(|_| round());
        without_allocating(|| (0..100).for_each(|_| round()));
    }
}

type Session = (Client<Account<u64>>, Server<Account<u64>>);

/// Makes `length` deposits before the first is read, and a withdrawal, which turns the session round.
fn visit((mut client, mut server): Session, length: u64) -> Session {
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
    let Ok(Answer::Money(money, client)) = client.recv() else { panic!("it was answered") };
    assert_eq!(money, length);
    (client, server)
}

/// Runs of one length or of several, each followed by an answer. Both sides link blocks, so neither may keep
/// blocks that the other one needs.
#[test]
fn visits_of_a_session() {
    let lengths: [(&[u64], usize); 3] = [(&[1], 50_000), (&[200], 1_000), (&[0, 1, 2, 40, 200], 2_000)];
    for (lengths, times) in lengths {
        let visits = |session, times| lengths.iter().cycle().take(times).copied().fold(session, visit);
        let session = visits(bank::pipe(), 2_000);
        drop(without_allocating(|| visits(session, times)));
    }
}

#[test]
fn streams_between_tasks() {
    same_for_few_and_many(async |rounds| {
        let ((mut chan, mut port), (mut answer, mut answered)) = (stream(), stream());
        let calls = async {
            for round in 0..rounds {
                chan.send(round).expect("the port is there");
                assert_eq!(answered.recv_async().await, Ok(round));
            }
            drop(chan);
        };
        let echo = async {
            while let Ok(round) = port.recv_async().await {
                answer.send(round).expect("the port is there");
            }
        };
        join!(calls, echo);
    });
}

/// The memory of many unread messages is freed when they are read; the rest when the ends are dropped.
#[test]
fn what_was_long_once() {
    fn long<E>(action: impl FnOnce() -> E, at_least: u64) {
        assert_all_comes_back(|| {
            let (ends, info) = counting(action);
            assert!(info.bytes_max > at_least, "they were kept somewhere: {info:?}");
            assert!(info.bytes_current < 32 * 1024, "{info:?}");
            drop(ends);
        });
    }
    let streams = || {
        let mut ends = stream();
        run(&mut ends, 1_000_000, |number| number);
        ends
    };
    long(streams, 8_000_000);
    long(|| visit(bank::pipe(), 300_000), 2_400_000);
}

/// Allocators keep free lists for sizes below 1 KiB, header included, and take much longer for larger ones.
#[test]
fn blocks_are_small() {
    /// The size of a block, and how many messages it holds.
    fn block<T: PartialEq + Debug>(payload: impl Fn(u64) -> T) -> (u64, u64) {
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
