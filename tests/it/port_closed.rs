//! `Port::close`: each value is received, or in the vector, or comes back to its sender.

use crate::closed::is_closed;
use futures::executor::block_on;
use pipes::{Chan, Closing, Port, SharedChan, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, caught, poll, poll_future, spin_while, watched};
use std::sync::Barrier;
use std::thread;

const ROUNDS: u64 = if cfg!(miri) { 8 } else { 400 };

/// One sender of any kind of stream.
trait Gives {
    /// Sends as far as there is room, or with a wait; returns what came back from a stream that has closed.
    fn give(&mut self, value: Counted) -> Option<Counted>;
}

impl Gives for Chan<Counted> {
    fn give(&mut self, value: Counted) -> Option<Counted> {
        self.send(value).err().map(pipes::SendError::into_payload)
    }
}

impl Gives for SharedChan<Counted> {
    fn give(&mut self, value: Counted) -> Option<Counted> {
        self.send(value).err().map(pipes::SendError::into_payload)
    }
}

/// The values that are there are returned in order, and the stream is closed.
#[track_caller]
fn returns_what_is_left((mut chan, mut port): (impl Gives + Closing, Port<Counted>), count: u64) {
    let tally = Tally::new();
    for number in 0..count {
        assert!(chan.give(tally.make(number)).is_none());
    }
    assert_eq!(port.recv().expect("one is there").number, 0);
    let left = port.close();
    assert!(left.iter().map(|value| value.number).eq(1..count), "the others, in order");
    assert_eq!(tally.gone(), 1, "none of them was dropped");
    assert!(chan.is_closed());
    assert_eq!(chan.give(tally.make(77)).expect("it comes back").number, 77);
    drop((left, chan));
    tally.assert_all_gone();
}

#[test]
fn of_each_kind() {
    for count in [1, 2, 3, 31, 32, 33, 200] {
        returns_what_is_left(stream(), count);
        returns_what_is_left(sync_stream(count as usize), count);
        returns_what_is_left(shared_stream(), count);
        returns_what_is_left(shared_sync_stream(count as usize), count);
    }
}

/// After the sender has left, and after the port has found that.
#[test]
fn of_a_stream_that_is_over() {
    let (mut chan, mut port) = stream();
    chan.send(1).unwrap();
    drop(chan);
    assert_eq!(port.recv(), Ok(1));
    assert!(port.recv().is_err());
    assert_eq!(port.close(), []);

    let (mut chan, port) = sync_stream(2);
    chan.send(2).unwrap();
    drop(chan);
    assert_eq!(port.close(), [2]);

    let (chan, mut port) = shared_sync_stream(2);
    chan.send(3).unwrap();
    drop(chan);
    assert_eq!(port.drain(), [3]);
    assert_eq!(port.drain(), []);
    assert_eq!(port.close(), []);
}

/// A sender sends while the port closes, after it has received a few.
fn race(random: &mut Random, (chans, mut port): (Vec<impl Gives + Send>, Port<Counted>)) {
    let tally = Tally::new();
    let begin = &Barrier::new(chans.len() + 1);
    let before = random.below(4) as usize * 12;
    let seeds: Vec<_> = chans.iter().map(|_| random.below(u64::MAX)).collect();
    thread::scope(|scope| {
        let threads = (0..).zip(chans.into_iter().zip(seeds)).map(|(name, (mut chan, seed))| {
            let tally = &tally;
            scope.spawn(move || {
                let mut random = Random::new(seed);
                begin.wait();
                let mut number = 0;
                let back = loop {
                    if let Some(value) = chan.give(tally.make(name * 1_000_000 + number)) {
                        break value;
                    }
                    number += 1;
                    random.dawdle(30);
                };
                assert_eq!(back.number, name * 1_000_000 + number, "the value that was not sent");
                number
            })
        });
        let threads: Vec<_> = threads.collect();
        begin.wait();
        let mut received: Vec<u64> = Vec::new();
        for _ in 0..before {
            received.push(port.recv().expect("the senders do not leave").number);
        }
        received.extend(port.close().iter().map(|value| value.number));
        for (name, thread) in (0..).zip(threads) {
            let sent = thread.join().expect("it does not panic");
            let own = received.iter().filter(|&number| number / 1_000_000 == name);
            assert!(
                own.copied().eq(name * 1_000_000..name * 1_000_000 + sent),
                "all that was sent, in order"
            );
        }
    });
    tally.assert_all_gone();
}

#[test]
fn while_senders_send() {
    watched(|| {
        let mut random = Random::new(0x5eed);
        for _ in 0..ROUNDS {
            let capacity = 1 + random.below(40) as usize;
            for (chan, port) in [stream(), sync_stream(0), sync_stream(capacity)] {
                race(&mut random, (vec![chan], port));
            }
            for (chan, port) in [shared_stream(), shared_sync_stream(capacity)] {
                race(&mut random, (vec![chan.clone(), chan.clone(), chan], port));
            }
        }
    });
}

/// A task that waits for room gets its value back.
#[test]
fn a_sender_that_waits() {
    let (mut chan, port) = sync_stream(1);
    chan.try_send(1).unwrap();
    let (bell, waker) = Bell::new();
    let mut sending = chan.send_async(2);
    assert!(poll_future(&mut sending, &waker).is_pending());
    assert_eq!(port.close(), [1]);
    assert_eq!(bell.rings(), 1);
    assert_eq!(block_on(sending).unwrap_err().into_payload(), 2);

    let (chan, port) = shared_sync_stream(1);
    chan.try_send(1).unwrap();
    let (bell, waker) = Bell::new();
    let mut sending = chan.send_async(2);
    assert!(poll_future(&mut sending, &waker).is_pending());
    let mut reserving = chan.reserve_async();
    assert!(poll_future(&mut reserving, &waker).is_pending());
    assert_eq!(port.close(), [1]);
    assert_eq!(bell.rings(), 2);
    assert_eq!(block_on(sending).unwrap_err().into_payload(), 2);
    assert!(block_on(reserving).is_err());
}

/// At capacity 0 the value is still the sender's.
#[test]
fn a_value_that_is_offered() {
    let (mut chan, port) = sync_stream(0);
    let (bell, waker) = Bell::new();
    let mut offer = chan.send_async(1);
    assert!(poll_future(&mut offer, &waker).is_pending());
    assert_eq!(port.close(), []);
    assert_eq!(bell.rings(), 1);
    assert_eq!(block_on(offer).unwrap_err().into_payload(), 1);
}

/// A receiver that was cancelled has left its waker in the slot.
#[test]
fn a_waker_that_was_registered() {
    fn check((mut chan, mut port): (impl Gives, Port<Counted>)) {
        let tally = Tally::new();
        let (bell, waker) = Bell::new();
        assert!(poll(&mut port, &waker).is_pending());
        drop(waker);
        assert_eq!(bell.wakers(), 1, "the stream has a copy");
        assert!(chan.give(tally.make(1)).is_none());
        assert_eq!(port.close().len(), 1);
        assert_eq!((bell.rings(), bell.wakers()), (1, 0));
        assert!(chan.give(tally.make(2)).is_some());

        tally.assert_all_gone();
    }
    check(stream());
    check(sync_stream(1));
    check(shared_stream());
    check(shared_sync_stream(1));

    let (chan, mut port) = stream::<u32>();
    let (bell, waker) = Bell::new();
    assert!(poll(&mut port, &waker).is_pending());
    drop(waker);
    assert_eq!(port.close(), []);
    assert_eq!((bell.rings(), bell.wakers()), (0, 0), "it is dropped");
    drop(chan);
}

/// A sender that waits for the close is woken when the stream is closed, and if its waker panics, the values
/// are dropped.
#[test]
fn a_sender_that_watches() {
    fn check((mut chan, port): (impl Gives + Closing, Port<Counted>)) {
        let tally = Tally::new();
        let (bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(chan.give(tally.make(1)).is_none());
        assert!(!is_closed(&mut chan, &waker));
        assert!(caught(|| port.close()).is_some(), "the waker's panic is not swallowed");
        assert_eq!(bell.rings(), 1);
        assert!(chan.is_closed());
        assert!(chan.give(tally.make(2)).is_some());
        drop(chan);
        tally.assert_all_gone();
    }
    check(stream());
    check(sync_stream(2));
    check(shared_stream());
    check(shared_sync_stream(2));
}

/// Both ends leave at once.
#[test]
fn while_the_last_sender_leaves() {
    watched(|| {
        for round in 0..ROUNDS {
            let tally = Tally::new();
            let (chan, port) = shared_stream();
            let (mut single, other) = stream();
            chan.send(tally.make(round)).unwrap();
            single.send(tally.make(round)).unwrap();
            let begin = Barrier::new(2);
            thread::scope(|scope| {
                scope.spawn(|| {
                    begin.wait();
                    drop((chan, single));
                });
                begin.wait();
                assert_eq!(port.close().len(), 1);
                assert_eq!(other.close().len(), 1);
            });
            tally.assert_all_gone();
        }
    });
}

/// A value of no size, and one that is larger than a block's usual slots.
#[test]
fn sizes() {
    let (mut chan, port) = stream();
    chan.send_all(&mut vec![(); 100]).unwrap();
    assert_eq!(port.close().len(), 100);

    let (chan, port) = shared_stream();
    for number in 0..40 {
        chan.send([number; 3000]).unwrap();
    }
    assert!(port.close().iter().map(|value| value[2999]).eq(0..40_u8));
}

/// A sender that goes on sending does not keep the port from closing.
#[test]
fn a_sender_that_does_not_stop() {
    watched(|| {
        let (mut chan, mut port) = stream();
        thread::scope(|scope| {
            let sender = scope.spawn(move || (0..).take_while(|&number| chan.send(number).is_ok()).count());
            spin_while(|| port.is_empty());
            let drained = port.drain();
            assert!(drained.iter().copied().eq(0..drained.len() as u64));
            let left = port.close();
            assert!(left.iter().copied().eq((drained.len() as u64..).take(left.len())));
            assert_eq!(sender.join().expect("it does not panic"), drained.len() + left.len());
        });
    });
}
