//! Streams that grow and are emptied again and again: few empty blocks are kept, and all memory comes back.

use crate::counting;
use allocation_counter::measure;
use pipes::{Chan, Port, stream};
use pipes_tests::bank::{self, Account, Answer, Client, Server};
use pipes_tests::{Random, caught};

/// The number of empty blocks that may wait, those that the sender may have taken besides, and the blocks in
/// which the two sides stand.
const MOST_BLOCKS: i64 = 31 + 31 + 2;

struct Ends<const SIZE: usize>(Chan<[u8; SIZE]>, Port<[u8; SIZE]>);

impl<const SIZE: usize> Ends<SIZE> {
    fn new() -> Self {
        let (chan, port) = stream();
        Ends(chan, port)
    }

    fn send(&mut self, length: usize, in_run: bool) {
        if in_run {
            self.0.send_all(&mut vec![[7; SIZE]; length]).expect("the port is here");
        } else {
            (0..length).for_each(|_| self.0.send([7; SIZE]).expect("the port is here"));
        }
    }

    fn receive(&mut self, length: usize, in_run: bool) {
        if in_run {
            let mut received = Vec::new();
            while received.len() < length {
                let limit = length - received.len();
                self.1.recv_many(&mut received, limit).expect("they were sent");
            }
        } else {
            (0..length).for_each(|_| assert!(self.1.try_recv().is_ok_and(|value| value == [7; SIZE])));
        }
    }
}

/// The most bytes that may be kept: those of `MOST_BLOCKS` blocks. What a stream allocates first, after
/// itself, is a block.
fn most<const SIZE: usize>() -> i64 {
    let mut ends = Ends::<SIZE>::new();
    let mut block = 0;
    while block == 0 {
        block = measure(|| ends.send(1, false)).bytes_current;
    }
    MOST_BLOCKS * block
}

fn grows_and_is_emptied<const SIZE: usize>() {
    let most = most::<SIZE>();
    for (sends_runs, receives_runs) in [(false, false), (false, true), (true, false), (true, true)] {
        let ((), info) = counting(|| {
            let (mut ends, mut kept) = (Ends::<SIZE>::new(), 0);
            for length in [1, 3000, 10, 5000, 64, 0, 3000, 3000, 1] {
                let round = measure(|| {
                    ends.send(length, sends_runs);
                    ends.receive(length, receives_runs);
                });
                kept += round.bytes_current;
                assert!(kept <= most, "{SIZE} {length} {round:?}");
            }
        });
        assert_eq!((info.count_current, info.bytes_current), (0, 0), "{SIZE} {info:?}");
    }
}

#[test]
fn streams_grow_and_are_emptied() {
    grows_and_is_emptied::<0>();
    grows_and_is_emptied::<1>();
    grows_and_is_emptied::<8>();
    grows_and_is_emptied::<100>();
    grows_and_is_emptied::<1000>();
    grows_and_is_emptied::<5000>();
}

/// After any course of sends and receives, little memory is kept beside the messages that wait.
fn random_course<const SIZE: usize>(seed: u64) {
    let most = most::<SIZE>();
    let mut random = Random::new(seed);
    let ((), info) = counting(|| {
        let mut ends = Ends::<SIZE>::new();
        let (mut waiting, mut kept) = (0, 0);
        for _ in 0..60 {
            let (is_send, in_run) = (random.below(2) == 0, random.below(2) == 0);
            let limit = [2, 40, 900][random.below(3) as usize];
            let length = random.below(limit) as usize;
            let info = measure(|| {
                if is_send {
                    ends.send(length, in_run);
                } else {
                    ends.receive(length.min(waiting), in_run);
                }
            });
            waiting = if is_send { waiting + length } else { waiting.saturating_sub(length) };
            kept += info.bytes_current;
            if random.below(5) == 0 {
                kept += measure(|| ends.receive(waiting, in_run)).bytes_current;
                waiting = 0;
            }
            // A slot has a word beside its payload, and a block of one slot a foot as well.
            let messages = waiting as i64 * (SIZE as i64 + 16) * 3 / 2;
            assert!(kept <= most + messages, "{SIZE} {seed}: {kept} for {waiting}");
        }
        // Many blocks may wait now.
        if seed.is_multiple_of(2) { drop((ends.1, ends.0)) } else { drop((ends.0, ends.1)) }
    });
    assert_eq!((info.count_current, info.bytes_current), (0, 0), "{SIZE} {seed} {info:?}");
}

#[test]
fn random_courses() {
    for seed in 0..40 {
        random_course::<0>(seed);
        random_course::<8>(seed);
        random_course::<72>(seed);
        random_course::<900>(seed);
        random_course::<3000>(seed);
    }
}

/// An end is dropped while many blocks wait: their memory comes back at once, or with the other end.
#[test]
fn an_end_is_dropped_before_many_blocks() {
    for (length, received) in [(100, 0), (5000, 0), (5000, 2500), (5000, 5000), (5001, 4999)] {
        for in_run in [false, true] {
            let ((), info) = counting(|| {
                let mut ends = Ends::<40>::new();
                ends.send(length, in_run);
                ends.receive(received, in_run);
                let Ends(mut chan, port) = ends;
                let dropped = measure(|| drop(port));
                assert!(dropped.count_total == 0, "{dropped:?}");
                let left = chan.send([1; 40]).expect_err("the port has left").into_payload();
                assert_eq!(left, [1; 40]);
                let mut values = vec![[2; 40]; 100];
                assert!(chan.send_all(&mut values).is_err() && values.len() == 100);
            });
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{length} {received} {info:?}");
            let ((), info) = counting(|| {
                let mut ends = Ends::<40>::new();
                ends.send(length, in_run);
                ends.receive(received, in_run);
                let Ends(chan, port) = ends;
                drop(chan);
                assert_eq!(port.into_iter().count(), length - received);
            });
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{length} {received} {info:?}");
        }
    }
}

type Session = (Client<Account<[u64; 9]>>, Server<Account<[u64; 9]>>);

/// Makes `length` deposits before the first is read, and a withdrawal, which turns the session round.
fn visit((mut client, mut server): Session, length: u64) -> Session {
    for number in 0..length {
        client = client.deposit([number; 9]).expect("the bank is there");
    }
    let client = client.withdraw(length).expect("the bank is there");
    for number in 0..length {
        let Ok(Account::Deposit(payload, next)) = server.recv() else { panic!("it was sent") };
        assert_eq!(payload, [number; 9]);
        server = next;
    }
    let Ok(Account::Withdraw(amount, answering)) = server.recv() else { panic!("it was sent") };
    let server = answering.money([amount; 9]).expect("the customer is there");
    let Ok(Answer::Money(money, client)) = client.recv() else { panic!("it was answered") };
    assert_eq!(money, [length; 9]);
    (client, server)
}

/// A session that turns round, and grows between.
#[test]
fn a_session_grows_and_is_emptied() {
    let ((), info) = counting(|| {
        let (mut session, mut kept, mut block) = (Some(bank::pipe()), 0, 0);
        for length in [1, 2, 5, 0, 100, 4000, 1, 0, 300, 5000, 7, 5000] {
            let info = measure(|| session = session.take().map(|session| visit(session, length)));
            kept += info.bytes_current;
            if block == 0 {
                block = info.bytes_current;
            }
            assert!(kept <= MOST_BLOCKS * block.max(5000), "{kept} {block} {info:?}");
        }
    });
    assert_eq!((info.count_current, info.bytes_current), (0, 0), "{info:?}");
}

/// Panics when it is dropped, without a message on standard error, which would allocate.
struct Bomb(u64, bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.1 {
            std::panic::resume_unwind(Box::new(self.0));
        }
    }
}

/// A destructor that panics somewhere in many blocks: all memory comes back.
#[test]
fn a_payload_panics_in_many_blocks() {
    for bomb in [0, 14, 15, 30, 31, 500, 1999] {
        for chan_first in [false, true] {
            let ((), info) = counting(|| {
                let (mut chan, port) = stream();
                for number in 0..2000 {
                    chan.send((Bomb(number, number == bomb), Box::new(number))).expect("the port is here");
                }
                let chan = (!chan_first).then_some(chan);
                let panic = caught(|| drop(port)).expect("it is not swallowed");
                assert_eq!(panic.downcast_ref(), Some(&bomb));
                drop(chan);
            });
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{bomb} {chan_first} {info:?}");
        }
    }
}
