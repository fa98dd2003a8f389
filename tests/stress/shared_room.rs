//! The room of a bounded stream with many senders, while those who wait for it give up.

use crate::race::{alone, counted_race, race};
use crate::shared_bounded::assert_all_free;
use pipes::{Port, SharedChan, shared_sync_stream};
use pipes_tests::{Counted, DropCounter, Rng, WakeCounter, effort, poll_future, spin, spin_while, test_in};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

/// A stream that is full.
fn full(drops: &DropCounter, capacity: usize) -> (SharedChan<Counted>, Port<Counted>) {
    let (chan, port) = shared_sync_stream(capacity);
    for number in 0..capacity as u64 {
        assert!(chan.try_send(drops.make(number)).is_ok());
    }
    (chan, port)
}

/// A future in front of the line is dropped while room becomes free: the sender behind it gets the room.
#[test_in(alone)]
fn a_cancelled_request_against_a_receive() {
    let make = |number: usize, drops: &DropCounter| {
        let (chan, port) = full(drops, 1 + number % 2);
        let waits = Arc::new(AtomicUsize::new(0));
        ((chan, 1 + number % 2, waits.clone()), (port, waits))
    };
    let cancel = |(chan, capacity, waits): (SharedChan<_>, _, Arc<AtomicUsize>)| {
        let (wakes, waker) = WakeCounter::new();
        let [mut first, mut second] = [chan.reserve_async(), chan.reserve_async()];
        assert!(poll_future(&mut first, Waker::noop()).is_pending());
        assert!(poll_future(&mut second, &waker).is_pending());
        waits.store(1, Ordering::Release);
        drop(first);
        spin_while(|| wakes.count() == 0);
        assert!(poll_future(&mut second, &waker).is_ready(), "called, and there is room");
        drop(second);
        waits.store(2, Ordering::Release);
        spin_while(|| waits.load(Ordering::Acquire) == 2);
        assert_all_free(&chan, capacity);
    };
    counted_race(6_000, make, cancel, |(mut port, waits)| {
        spin_while(|| waits.load(Ordering::Acquire) == 0);
        assert!(port.try_recv().is_ok());
        spin_while(|| waits.load(Ordering::Acquire) == 1);
        port.try_iter().for_each(drop);
        waits.store(3, Ordering::Release);
        spin_while(|| Arc::strong_count(&waits) == 2);
    });
}

/// A thread gives up waiting at the moment when room becomes free: the room is its own, or still there.
#[test_in(alone)]
fn a_timeout_against_a_receive() {
    let drops = DropCounter::new();
    let make = |number: usize| {
        let (chan, port) = full(&drops, 1);
        ((chan.clone(), Duration::from_nanos(number as u64 * 7 % 3_000)), (chan, port))
    };
    let give_up = |(chan, moment): (SharedChan<_>, _)| drop(chan.reserve_timeout(moment));
    race(8_000, make, give_up, |(chan, mut port)| {
        assert!(port.try_recv().is_ok());
        assert!(chan.send(drops.make(1)).is_ok(), "or this waits for ever");
        assert!(port.recv().is_ok());
        assert!(chan.reserve().is_ok());
    });
    drops.assert_all_dropped();
}

/// There is room for two messages, and two senders send at the same time: both succeed.
#[test_in(alone)]
fn two_senders_and_room_for_two() {
    const ROUNDS: usize = effort(20_000);
    let (chan, mut port) = shared_sync_stream(2);
    let meeting = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let meet = |side: usize| {
        let mine = meeting[side].fetch_add(1, Ordering::AcqRel) + 1;
        spin_while(|| meeting[1 - side].load(Ordering::Acquire) < mine);
    };
    let send = |chan: &SharedChan<u64>, side: usize, random: &mut Rng| {
        meet(side);
        spin(random.u64(..20));
        let full = chan.try_send(1).is_err();
        meet(side);
        usize::from(full)
    };
    let other = chan.clone();
    let full: usize = thread::scope(|scope| {
        let there = scope.spawn(|| {
            let mut random = Rng::with_seed(1);
            (0..ROUNDS).map(|_| send(&other, 1, &mut random)).sum::<usize>()
        });
        let mut random = Rng::with_seed(2);
        let here = (0..ROUNDS).map(|_| {
            let full = send(&chan, 0, &mut random);
            // Both have sent, and the other one waits for this thread.
            port.try_iter().for_each(drop);
            full
        });
        here.sum::<usize>() + there.join().expect("it does not panic")
    });
    assert_eq!(full, 0, "sends that found no room, in {ROUNDS} rounds");
}
