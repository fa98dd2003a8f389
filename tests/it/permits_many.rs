//! Room for several values at once, in streams with many senders.

use crate::permits::assert_free;
use pipes::{SendError, TrySendError, shared_stream, shared_sync_stream};
use pipes_tests::{WakeCounter, begun, poll_future, spawn};
use std::pin::pin;
use std::task::{Poll, Waker};

#[test]
fn each_permit_is_room_for_one_value() {
    let (chan, mut port) = shared_sync_stream(4);
    let mut permits = chan.reserve_many(3).expect("the port is here");
    assert_eq!(permits.len(), 3);
    assert_free(&chan, 1);
    permits.next().expect("three are left").send(1).expect("the port is here");
    drop(permits.next().expect("two are left"));
    assert_free(&chan, 2);
    drop(permits);
    assert_free(&chan, 3);
    assert_eq!(port.recv(), Ok(1));
    assert_free(&chan, 4);
    assert_eq!(chan.try_reserve_many(0).expect("the port is here").count(), 0);
    let mut all = chan.try_reserve_many(4).expect("there is room");
    assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    assert_eq!(all.by_ref().map(|permit| permit.send(3)).filter(Result::is_ok).count(), 4);
    assert!(all.next().is_none());
    drop(all);
    assert!(port.try_iter().eq([3; 4]));
    assert_free(&chan, 4);
}

/// It takes all the room or none.
#[test]
fn an_attempt_that_finds_too_little_room_takes_none() {
    let (chan, mut port) = shared_sync_stream(3);
    (0..3).for_each(|number| chan.send(number).expect("the port is here"));
    assert!(port.try_iter().take(2).eq([0, 1]));
    assert_eq!(chan.try_reserve_many(3).map(drop), Err(TrySendError::Full(())));
    assert_free(&chan, 2);
    assert_eq!(port.recv(), Ok(2));
    assert_eq!(chan.try_reserve_many(3).map(drop), Ok(()));
    assert_free(&chan, 3);
}

/// The first in the line collects what comes back, and nothing overtakes it. Two requests that each want more
/// than half of the room do not wait for each other forever.
#[test]
fn the_first_in_the_line_gets_all_its_room() {
    let (chan, mut port) = shared_sync_stream(3);
    (0..2).for_each(|number| chan.send(number).expect("the port is here"));
    let [(first_wakes, first_waker), (second_wakes, second_waker)] = [WakeCounter::new(), WakeCounter::new()];
    let mut first = pin!(chan.reserve_many_async(3));
    assert!(poll_future(&mut first.as_mut(), &first_waker).is_pending());
    let mut second = pin!(chan.reserve_many_async(2));
    assert!(poll_future(&mut second.as_mut(), &second_waker).is_pending());
    assert_eq!(chan.try_send(9), Err(TrySendError::Full(9)), "what is free belongs to the first");
    assert_eq!(port.recv(), Ok(0));
    assert_eq!((first_wakes.count(), second_wakes.count()), (0, 0));
    assert!(poll_future(&mut first.as_mut(), &first_waker).is_pending());
    assert_eq!(port.recv(), Ok(1));
    assert_eq!((first_wakes.count(), second_wakes.count()), (1, 0));
    let Poll::Ready(Ok(mut permits)) = poll_future(&mut first.as_mut(), &first_waker) else {
        panic!("there is room for all")
    };
    permits.next().expect("three are left").send(2).expect("the port is here");
    assert_eq!(second_wakes.count(), 0);
    drop(permits);
    assert_eq!(second_wakes.count(), 1);
    let Poll::Ready(Ok(permits)) = poll_future(&mut second.as_mut(), &second_waker) else {
        panic!("there is room for both")
    };
    assert_eq!(permits.len(), 2);
    assert_free(&chan, 0);
    drop(permits);
    assert_free(&chan, 2);
    assert_eq!(port.recv(), Ok(2));
}

/// A request that is dropped gives back what it was granted, to those that wait behind it.
#[test]
fn a_request_that_gives_up() {
    let (chan, mut port) = shared_sync_stream(2);
    chan.send(0).expect("the port is here");
    let (wakes, waker) = WakeCounter::new();
    let many = begun(Box::pin(chan.reserve_many_async(2)), Waker::noop());
    let mut one = begun(chan.send_async(1), &waker);
    drop(many);
    assert_eq!(wakes.count(), 1, "the free room goes to the next");
    assert_eq!(poll_future(&mut one, &waker), Poll::Ready(Ok(())));
    let mut many = begun(Box::pin(chan.reserve_many_async(2)), Waker::noop());
    assert_eq!(port.recv(), Ok(0));
    assert!(poll_future(&mut many, Waker::noop()).is_pending());
    drop(many);
    assert_free(&chan, 1);
    assert_eq!(port.recv(), Ok(1));
    assert_free(&chan, 2);
}

#[test]
fn threads_that_reserve_more_than_half_of_the_room() {
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 2_000 };
    let (chan, mut port) = shared_sync_stream(5);
    let senders: Vec<_> = [3, 4, 5, 1]
        .map(|count: usize| {
            let chan = chan.clone();
            spawn(move || {
                for round in 0..ROUNDS {
                    let permits = chan.reserve_many(count).expect("the port is here");
                    permits.for_each(|permit| permit.send((count, round)).expect("the port is here"));
                }
            })
        })
        .into();
    drop(chan);
    let mut received = [0; 6];
    while let Ok((count, round)) = port.recv() {
        assert_eq!(received[count] / count as u64, round);
        received[count] += 1;
    }
    assert_eq!(received, [0, 1, 0, 3, 4, 5].map(|count| count * ROUNDS));
    senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
}

#[test]
fn a_port_that_leaves_ends_the_wait() {
    let (chan, port) = shared_sync_stream(2);
    chan.send(0).expect("the port is here");
    let (wakes, waker) = WakeCounter::new();
    let mut many = pin!(chan.reserve_many_async(2));
    assert!(poll_future(&mut many.as_mut(), &waker).is_pending());
    let mut reserved = chan.try_reserve_many(0).expect("the port is here");
    assert!(reserved.next().is_none());
    drop(port);
    assert_eq!(wakes.count(), 1);
    assert!(matches!(poll_future(&mut many.as_mut(), &waker), Poll::Ready(Err(SendError(())))));
    assert!(chan.reserve_many(2).is_err());
    assert_eq!(chan.try_reserve_many(1).map(drop), Err(TrySendError::Closed(())));
}

#[test]
fn an_unbounded_stream_has_room_for_any_number() {
    let (chan, mut port) = shared_stream();
    let permits = chan.reserve_many(100).expect("the port is here");
    permits.zip(0..).for_each(|(permit, number)| permit.send(number).expect("the port is here"));
    assert!(port.try_iter().eq(0..100));
}
