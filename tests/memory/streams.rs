//! Bounded streams and shared streams: what they allocate is freed, with the size that it was allocated with.

use crate::{counting, without_allocating};
use pipes::{Port, shared_stream, stream, sync_stream};

/// Drops two ends in the given order.
fn drop_both<C, T>(chan: C, port: Port<T>, chan_first: bool) {
    if chan_first {
        drop(chan);
        drop(port);
    } else {
        drop(port);
        drop(chan);
    }
}

#[test]
fn closing_a_ring_gives_all_memory_back() {
    for capacity in 0..70 {
        for chan_first in [false, true] {
            let ((), info) = counting(|| {
                let (mut chan, mut port) = sync_stream(capacity);
                (0..capacity).for_each(|number| chan.send(Box::new(number)).expect("there is room"));
                (0..capacity / 3).for_each(|number| assert_eq!(port.recv(), Ok(Box::new(number))));
                drop_both(chan, port, chan_first);
            });
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{capacity} {chan_first} {info:?}");
        }
    }
}

#[test]
fn closing_blocks_gives_all_memory_back() {
    for length in (0..200).chain([1_000, 10_000]) {
        for chan_first in [false, true] {
            let ((), info) = counting(|| {
                let (chan, mut port) = shared_stream();
                (0..length).for_each(|number| chan.send(Box::new(number)).expect("the port is there"));
                (0..length / 3).for_each(|number| assert_eq!(port.recv(), Ok(Box::new(number))));
                drop_both([chan.clone(), chan], port, chan_first);
            });
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{length} {chan_first} {info:?}");
        }
    }
}

/// A warm stream sends and receives runs in the memory that it has, and so do the vectors.
#[test]
fn runs_allocate_nothing() {
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
