//! Streams that grow and are emptied again and again: few empty blocks are kept, and all memory comes back.

use crate::counting;
use allocation_counter::measure;
use pipes::{Chan, Port, stream};
use pipes_tests::Random;

/// The number of empty blocks that may wait, those that the sender may have taken besides, and the blocks in
/// which the two sides stand.
const MOST_BLOCKS: i64 = 31 + 31 + 3;
/// A block is about this large, or has a few slots.
const LARGEST: i64 = 4096 + 512;

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

/// The most that may be kept: blocks, or if a payload is larger than they are, as many payloads.
fn most(size: usize) -> i64 {
    MOST_BLOCKS * LARGEST.max(8 * (size as i64 + 64))
}

fn grows_and_is_emptied<const SIZE: usize>() {
    for (sends_runs, receives_runs) in [(false, false), (false, true), (true, false), (true, true)] {
        let ((), info) = counting(|| {
            let mut ends = Ends::<SIZE>::new();
            for length in [1, 3000, 10, 5000, 64, 0, 3000, 3000, 1] {
                let round = measure(|| {
                    ends.send(length, sends_runs);
                    ends.receive(length, receives_runs);
                });
                let kept = measure(|| drop(Ends::<SIZE>::new())).bytes_current;
                assert_eq!(kept, 0);
                assert!(round.bytes_current <= most(SIZE), "{SIZE} {length} {round:?}");
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
            assert!(kept <= most(SIZE) + messages, "{SIZE} {seed}: {kept} for {waiting}");
        }
        // Many blocks may wait now.
        if seed % 2 == 0 { drop((ends.1, ends.0)) } else { drop((ends.0, ends.1)) }
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
