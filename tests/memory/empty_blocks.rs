//! Streams that grow and are emptied again and again: few empty blocks are kept, and all memory comes back.

use crate::{assert_all_comes_back, counting};
use allocation_counter::measure;
use pipes::{Chan, Port, stream};
use pipes_tests::{Rng, caught};

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

/// After any course of sends and receives, little memory is kept beside the messages that wait.
fn random_course<const SIZE: usize>(seed: u64) {
    let most = most::<SIZE>();
    let mut random = Rng::with_seed(seed);
    let ((), info) = counting(|| {
        let mut ends = Ends::<SIZE>::new();
        let (mut waiting, mut kept) = (0, 0);
        for _ in 0..60 {
            let (is_send, in_run) = (random.bool(), random.bool());
            let limit = [2, 40, 900, 5000 / (1 + SIZE / 50)][random.usize(..4)];
            let length = random.usize(..limit);
            let info = measure(|| {
                if is_send {
                    ends.send(length, in_run);
                } else {
                    ends.receive(length.min(waiting), in_run);
                }
            });
            waiting = if is_send { waiting + length } else { waiting.saturating_sub(length) };
            kept += info.bytes_current;
            if random.u64(..5) == 0 {
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
    for seed in 0..25 {
        random_course::<0>(seed);
        random_course::<8>(seed);
        random_course::<72>(seed);
        random_course::<900>(seed);
        random_course::<3000>(seed);
    }
}

/// An end is dropped while many blocks wait. The port frees nothing with allocations of its own.
#[test]
fn an_end_is_dropped_before_many_blocks() {
    for (length, received) in [(100, 0), (5000, 0), (5000, 2500), (5000, 5000), (5001, 4999)] {
        for (in_run, port_first) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_all_comes_back(|| {
                let mut ends = Ends::<40>::new();
                ends.send(length, in_run);
                ends.receive(received, in_run);
                let Ends(mut chan, port) = ends;
                if port_first {
                    let dropped = measure(|| drop(port));
                    assert!(dropped.count_total == 0, "{dropped:?}");
                    let mut values = vec![[2; 40]; 100];
                    assert!(chan.send_all(&mut values).is_err() && values.len() == 100);
                } else {
                    drop(chan);
                    assert_eq!(port.into_iter().count(), length - received);
                }
            });
        }
    }
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
            assert_all_comes_back(|| {
                let (mut chan, port) = stream();
                for number in 0..2000 {
                    chan.send((Bomb(number, number == bomb), Box::new(number))).expect("the port is here");
                }
                let chan = (!chan_first).then_some(chan);
                let panic = caught(|| drop(port)).expect("it is not swallowed");
                assert_eq!(panic.downcast_ref(), Some(&bomb));
                drop(chan);
            });
        }
    }
}
