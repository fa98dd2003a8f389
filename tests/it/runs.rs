//! Several values in one call: the same values, in the same order, as one by one, and nothing is lost when a
//! call ends early.

use futures::executor::block_on;
use pipes::{Chan, Port, PortSet, RecvError, TryRecvError, TrySendError, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Random, Tally, caught, poll, poll_future, watched};
use std::mem::forget;
use std::task::{Context, Poll, Waker};
use std::thread;

/// How many runs each of several senders sends.
const RUNS: u64 = if cfg!(miri) { 2 } else { 20 };

/// Mostly short, sometimes longer than a block.
fn some(random: &mut Random) -> u64 {
    let limit = if random.below(4) == 0 { 150 } else { 6 };
    random.below(limit)
}

/// Sends and receives runs of random lengths, and compares with a count.
fn mixed<T>(
    (mut chan, mut port): (Chan<T>, Port<T>),
    random: &mut Random,
    make: impl Fn(u64) -> T,
    read: impl Fn(&T) -> u64,
) {
    let (mut sent, mut received) = (0, 0);
    for _ in 0..if cfg!(miri) { 5 } else { 300 } {
        let length = some(random);
        let mut values: Vec<T> = (sent..sent + length).map(&make).collect();
        let outcome = chan.try_send_all(&mut values);
        assert_eq!(outcome.is_ok(), values.is_empty());
        sent += length - values.len() as u64;
        assert!(values.iter().map(&read).eq(sent..sent + values.len() as u64), "the rest is left, in order");
        if random.below(4) == 0 && chan.try_send(make(sent)).is_ok() {
            sent += 1;
        }

        let limit = 1 + some(random);
        let mut values = vec![make(u64::from(u32::MAX))];
        match port.try_recv_many(&mut values, limit as usize) {
            Ok(count) => {
                assert_eq!(count as u64, limit.min(sent - received), "what is there, up to the limit")
            }
            Err(error) => assert_eq!((error, sent), (TryRecvError::Empty(()), received)),
        }
        assert!(values.iter().skip(1).map(&read).eq(received..received + values.len() as u64 - 1));
        received += values.len() as u64 - 1;
        if random.below(4) == 0
            && let Ok(value) = port.try_recv()
        {
            assert_eq!(read(&value), received);
            received += 1;
        }
    }
    drop(chan);
    assert!(port.iter().map(|value| read(&value)).eq(received..sent), "the values that are left");
}

#[test]
fn runs_and_single_values_in_one_order() {
    let mut random = Random::new(1);
    for capacity in [1, 2, 3, 5, 64] {
        let tally = Tally::new();
        mixed(sync_stream(capacity), &mut random, |number| tally.make(number), |counted| counted.number);
        tally.assert_all_gone();
    }
    for _ in 0..5 {
        let tally = Tally::new();
        mixed(stream(), &mut random, |number| tally.make(number), |counted| counted.number);
        tally.assert_all_gone();
    }
}

#[test]
fn runs_of_values_of_every_shape() {
    #[repr(align(64))]
    struct Aligned(u64);
    let mut random = Random::new(2);
    mixed(stream(), &mut random, |number| number as u32, |number| u64::from(*number));
    mixed(stream(), &mut random, |number| [number; 200], |page| page[199]);
    mixed(sync_stream(7), &mut random, |number| [number; 200], |page| page[199]);
    mixed(stream(), &mut random, Aligned, |value| value.0);
    mixed(sync_stream(7), &mut random, Aligned, |value| value.0);
}

#[test]
fn runs_of_empty_values() {
    for (mut chan, mut port) in [stream(), sync_stream(1000)] {
        chan.send_all(&mut vec![(); 1000]).unwrap();
        let mut values = Vec::new();
        while values.len() < 1000 {
            port.recv_many(&mut values, 300).unwrap();
        }
        assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    }
}

#[test]
fn limits() {
    for (mut chan, mut port) in [stream(), sync_stream(100)] {
        let mut values = vec![0];
        assert_eq!(port.recv_many(&mut values, 0), Ok(0), "nothing is asked for");
        chan.send_all(&mut Vec::new()).unwrap();
        assert_eq!(port.try_recv_many(&mut values, 5), Err(TryRecvError::Empty(())));
        chan.send_all(&mut (1..=100).collect()).unwrap();
        assert_eq!(port.recv_many(&mut values, 1), Ok(1));
        assert_eq!(port.recv_many(&mut values, usize::MAX), Ok(99));
        assert!(values.into_iter().eq(0..=100), "appended");
        drop(chan);
        assert_eq!(port.recv_many(&mut Vec::new(), 0), Ok(0));
        assert_eq!(port.recv_many(&mut Vec::new(), 5), Err(RecvError));
        assert_eq!(port.try_recv_many(&mut Vec::new(), 5), Err(TryRecvError::Closed));
    }
}

#[test]
fn in_a_shared_stream() {
    watched(|| {
        let tally = Tally::new();
        let (chan, mut port) = shared_stream();
        let senders: Vec<_> = (0..3)
            .map(|sender| {
                let (chan, tally) = (chan.clone(), tally.clone());
                thread::spawn(move || {
                    for run in 0..RUNS {
                        let first = (sender << 32) + run * 10;
                        chan.send_all(&mut (first..first + 10).map(|number| tally.make(number)).collect())
                            .unwrap();
                    }
                })
            })
            .collect();
        drop(chan);
        let (mut last, mut values) = ([0; 3], Vec::new());
        while port.recv_many(&mut values, 7).is_ok() {
            assert!(values.len() <= 7);
            for value in values.drain(..) {
                let next = &mut last[(value.number >> 32) as usize];
                assert_eq!(value.number as u32, *next, "the values of one sender come in order");
                *next += 1;
            }
        }
        assert_eq!(last, [RUNS as u32 * 10; 3]);
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        tally.assert_all_gone();
    });
}

#[test]
fn a_port_that_has_gone_leaves_all_values() {
    for kind in 0..4 {
        let tally = Tally::new();
        let mut values: Vec<_> = (0..100).map(|number| tally.make(number)).collect();
        let outcome = if kind == 3 {
            let (chan, port) = shared_stream();
            drop(port);
            chan.send_all(&mut values)
        } else {
            let (mut chan, port) = if kind == 2 { stream() } else { sync_stream(kind) };
            drop(port);
            assert_eq!(chan.try_send_all(&mut values), Err(TrySendError::Closed(())));
            assert!(block_on(chan.send_all_async(&mut values)).is_err());
            chan.send_all(&mut values)
        };
        assert!(outcome.is_err());
        assert!(values.iter().map(|value| value.number).eq(0..100));
        drop(values);
        tally.assert_all_gone();
    }
}

/// The port leaves while the sender waits for room.
#[test]
fn a_port_that_leaves_in_between() {
    watched(|| {
        for capacity in [0, 1, 2, 5] {
            let tally = Tally::new();
            let (mut chan, mut port) = sync_stream(capacity);
            let receiver = thread::spawn(move || {
                let mut values = Vec::new();
                while values.len() < 7 {
                    port.recv_many(&mut values, 2).unwrap();
                }
                values.len() as u64
            });
            let mut values: Vec<_> = (0..100).map(|number| tally.make(number)).collect();
            assert!(chan.send_all(&mut values).is_err());
            let received = receiver.join().unwrap();
            let first = 100 - values.len() as u64;
            assert!((received..=received + capacity as u64).contains(&first), "the rest is left");
            assert!(values.iter().map(|value| value.number).eq(first..100));
            drop(values);
            tally.assert_all_gone();
        }
    });
}

/// With capacity 0, each value waits until it is taken.
#[test]
fn one_by_one_at_capacity_0() {
    watched(|| {
        let (mut chan, mut port) = sync_stream(0);
        let mut values = vec![0, 1, 2];
        assert_eq!(chan.try_send_all(&mut values), Err(TrySendError::Full(())));
        assert_eq!(values, [0, 1, 2]);
        let sender = thread::spawn(move || {
            chan.send_all(&mut values).unwrap();
            assert!(block_on(chan.send_all_async(&mut vec![3, 4])).is_ok());
        });
        let mut values = Vec::new();
        while port.recv_many(&mut values, 3).is_ok() {}
        assert_eq!(values, [0, 1, 2, 3, 4]);
        sender.join().unwrap();
    });
}

#[test]
fn a_run_wakes_once() {
    for (mut chan, mut port) in [stream(), sync_stream(8)] {
        let (bell, waker) = Bell::new();
        assert!(poll(&mut port, &waker).is_pending());
        chan.send_all(&mut vec![0, 1, 2]).unwrap();
        assert_eq!(bell.rings(), 1);
        let mut values = Vec::new();
        assert!(poll_future(&mut port.recv_many_async(&mut values, 8), &waker).is_ready());
        assert_eq!(values, [0, 1, 2]);
    }
    let (mut chan, mut port) = sync_stream(3);
    chan.send_all(&mut vec![0, 1, 2]).unwrap();
    let (bell, waker) = Bell::new();
    let mut rest = vec![3, 4];
    let mut sending = chan.send_all_async(&mut rest);
    assert!(poll_future(&mut sending, &waker).is_pending());
    assert_eq!(port.recv_many(&mut Vec::new(), 3), Ok(3));
    assert_eq!(bell.rings(), 1);
    assert!(poll_future(&mut sending, &waker).is_ready());
}

/// A future that is dropped gives back what it has not sent.
#[test]
fn futures_that_are_dropped() {
    for capacity in [0, 1, 3] {
        let tally = Tally::new();
        let (mut chan, mut port) = sync_stream(capacity);
        let mut values: Vec<_> = (0..10).map(|number| tally.make(number)).collect();
        let (_bell, waker) = Bell::new();
        assert!(poll_future(&mut chan.send_all_async(&mut values), &waker).is_pending());
        assert!(values.iter().map(|value| value.number).eq(capacity as u64..10), "what was not sent is back");
        assert!(port.try_iter().map(|value| value.number).eq(0..capacity as u64));
        drop((chan, values));
        tally.assert_all_gone();
    }
}

/// A future that is forgotten keeps its values, and no other reaches them.
#[test]
fn futures_that_are_forgotten() {
    for capacity in [0, 1, 3] {
        let (mut chan, mut port) = sync_stream(capacity);
        let mut values: Vec<_> = (0..10).collect();
        let (_bell, waker) = Bell::new();
        let mut sending = chan.send_all_async(&mut values);
        assert!(poll_future(&mut sending, &waker).is_pending());
        forget(sending);
        assert!(values.is_empty(), "the vector can be used");
        values.push(10);
        // At capacity 0, the first value is still offered.
        assert!(port.try_iter().eq(0..capacity.max(1)));
        drop(chan);
        assert_eq!(port.recv(), Err(RecvError));
    }
}

/// A waker that panics: what was sent before is sent, and the rest is left.
#[test]
fn a_waker_that_panics() {
    let panicking = || Bell::that(|| std::panic::resume_unwind(Box::new("on purpose"))).1;
    for (mut chan, mut port) in [stream(), sync_stream(4)] {
        let tally = Tally::new();
        assert!(poll(&mut port, &panicking()).is_pending());
        let mut values: Vec<_> = (0..200).map(|number| tally.make(number)).collect();
        assert!(caught(|| chan.send_all(&mut values)).is_some());
        let left: Vec<_> = values.iter().map(|value| value.number).collect();
        assert!(!left.is_empty() && left.len() < 200, "a run was sent");
        let mut sent = Vec::new();
        port.recv_many(&mut sent, 200).unwrap();
        assert!(sent.iter().map(|value| value.number).chain(left).eq(0..200));
        drop((values, sent));
        tally.assert_all_gone();
    }
    // The other way: a receiver wakes a sender that waits for room.
    for limit in [1, 2] {
        let tally = Tally::new();
        let (mut chan, mut port) = sync_stream(2);
        let mut values: Vec<_> = (0..3).map(|number| tally.make(number)).collect();
        let waker = panicking();
        assert!(poll_future(&mut chan.send_all_async(&mut values), &waker).is_pending());
        assert_eq!(values.len(), 1);
        let mut sending = chan.send_all_async(&mut values);
        assert!(poll_future(&mut sending, &waker).is_pending());
        let mut received = Vec::new();
        assert!(caught(|| port.recv_many(&mut received, limit)).is_some());
        assert_eq!(received.len(), limit, "what was received is not lost");
        drop(sending);
        assert_eq!(values.len(), 1);
        drop((values, received, chan, port));
        tally.assert_all_gone();
    }
}

/// A chan that watches for the close sends runs as well, and its waker is dropped first.
#[test]
fn a_chan_that_watches() {
    for (mut chan, port) in [stream(), sync_stream(8)] {
        let (bell, waker) = Bell::new();
        let mut cx = Context::from_waker(&waker);
        assert!(chan.poll_closed(&mut cx).is_pending());
        chan.send_all(&mut vec![0, 1, 2]).unwrap();
        assert!(chan.poll_closed(&mut cx).is_pending());
        drop(port);
        assert_eq!((bell.rings(), chan.poll_closed(&mut cx)), (1, Poll::Ready(())));
    }
}

#[test]
fn runs_in_a_set() {
    watched(|| {
        let (mut first, port) = stream();
        let (mut second, other) = sync_stream(2);
        let mut set = PortSet::from_iter([port, other]);
        let senders = [
            thread::spawn(move || first.send_all(&mut (0..100).collect()).unwrap()),
            thread::spawn(move || second.send_all(&mut (100..200).collect()).unwrap()),
        ];
        let mut received: Vec<i32> = set.messages().collect();
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        received.sort_unstable();
        assert!(received.into_iter().eq(0..200));
    });
}

/// The waker of a chan that watches is dropped before a value is taken out of the vector.
#[test]
fn a_watching_waker_whose_destructor_panics() {
    for (mut chan, mut port) in [stream(), sync_stream(1), sync_stream(8)] {
        let tally = Tally::new();
        let waker = Bell::at_last(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        let mut values: Vec<_> = (0..3).map(|number| tally.make(number)).collect();
        assert!(caught(|| chan.try_send_all(&mut values)).is_some());
        assert_eq!(values.len(), 3, "nothing was sent, and nothing is lost");
        let _full = chan.try_send_all(&mut values);
        assert!(port.try_iter().chain(values).map(|value| value.number).eq(0..3));
        drop(port);
        tally.assert_all_gone();
    }
}

#[test]
fn nothing_is_allocated_for_nothing() {
    for (mut chan, mut port) in [stream(), sync_stream(8)] {
        let mut values = Vec::new();
        assert_eq!(port.try_recv_many(&mut values, 10), Err(TryRecvError::Empty(())));
        assert_eq!(values.capacity(), 0);
        let mut values = Vec::with_capacity(8);
        let capacity = values.capacity();
        chan.send_all(&mut (0..8).collect()).unwrap();
        assert_eq!(port.try_recv_many(&mut values, 100), Ok(8));
        drop(chan);
        assert_eq!(port.recv_many(&mut values, 100), Err(RecvError));
        assert_eq!(values.capacity(), capacity);
    }
}

#[test]
fn futures_can_be_printed() {
    let (mut chan, _port) = sync_stream(0);
    let mut values = vec![1, 2];
    let mut sending = chan.send_all_async(&mut values);
    assert!(poll_future(&mut sending, Waker::noop()).is_pending());
    assert_eq!(format!("{sending:?}"), "SendAllFuture { left: 2 }");
}
