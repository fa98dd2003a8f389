//! Room of bounded streams with many senders that is reserved before there is a message.

use pipes::{
    Port, SendTimeoutError, SharedChan, TrySendError, shared_stream, shared_sync_stream, stream, sync_stream,
};
use pipes_tests::{DropCounter, WakeCounter, begun, caught, panics, poll_future, spawn, test_in, watched};
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// A stream that is full.
fn full(capacity: u64) -> (SharedChan<u64>, Port<u64>) {
    let (chan, port) = shared_sync_stream(capacity as usize);
    (0..capacity).for_each(|number| chan.try_send(number).expect("there is room"));
    (chan, port)
}

/// Asserts that exactly this much room is free.
#[track_caller]
pub fn assert_free<T>(chan: &SharedChan<T>, room: usize) {
    let permits: Vec<_> = (0..room).map(|_| chan.try_reserve().expect("there is room")).collect();
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())), "there is no more room than that");
    drop(permits);
}

#[test]
fn permits_are_room() {
    let (chan, mut port) = shared_sync_stream(2);
    let (first, second) = (chan.try_reserve().expect("room"), chan.reserve().expect("room"));
    assert_eq!(chan.try_send(0), Err(TrySendError::Full(0)));
    second.send(2).expect("the port is there");
    drop(first);
    assert_eq!(chan.try_send(3), Ok(()));
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())));
    assert!(port.try_iter().eq([2, 3]));
    assert_free(&chan, 2);
}

/// An unbounded stream has the same methods, and there is always room.
#[test]
fn an_unbounded_stream_has_permits_too() {
    let (chan, mut port) = shared_stream();
    let permits: Vec<_> = (0..100).map(|_| chan.try_reserve().expect("there is always room")).collect();
    for (number, permit) in permits.into_iter().enumerate() {
        permit.send(number).expect("the port is there");
    }
    chan.reserve_timeout(Duration::ZERO).expect("room").send(100).expect("the port is there");
    chan.send_timeout(101, Duration::ZERO).expect("the port is there");
    assert_eq!(poll_future(&mut chan.send_async(102), Waker::noop()), Poll::Ready(Ok(())));
    assert!(port.try_iter().eq(0..103));
    drop(port);
    assert_eq!(chan.send_timeout(9, Duration::ZERO), Err(SendTimeoutError::Closed(9)));
    assert!(chan.reserve().is_err());
}

/// The largest capacity: the counts do not overflow.
#[test]
fn the_largest_capacity() {
    let (chan, mut port) = shared_sync_stream(usize::MAX);
    assert_eq!(chan.capacity(), Some(usize::MAX / 2));
    for number in 0..100 {
        chan.reserve().expect("there is room").send(number).expect("the port is here");
        drop(chan.reserve());
    }
    assert!(port.try_iter().eq(0..100));
}

/// A wait for room that has timed out leaves the room to others.
#[test]
fn waits_that_time_out() {
    let (chan, mut port) = full(1);
    let short = Duration::from_micros(10);
    assert_eq!(chan.send_deadline(7, Instant::now() + short), Err(SendTimeoutError::Timeout(7)));
    assert!(matches!(chan.reserve_timeout(short), Err(SendTimeoutError::Timeout(()))));
    assert!(matches!(chan.reserve_deadline(Instant::now()), Err(SendTimeoutError::Timeout(()))));
    assert_eq!(port.recv(), Ok(0));
    assert_free(&chan, 1);
}

/// Requests for permits and sends wait in one line.
#[test]
fn requests_and_sends_wait_in_one_line() {
    let (chan, mut port) = full(1);
    let (counters, wakers): (Vec<_>, Vec<_>) = (0..3).map(|_| WakeCounter::new()).unzip();
    let counts = || counters.iter().map(|wakes| wakes.count()).collect::<Vec<_>>();
    let (mut first, mut second, mut third) = (chan.reserve_async(), chan.send_async(2), chan.reserve_async());
    assert!(poll_future(&mut first, &wakers[0]).is_pending());
    assert!(poll_future(&mut second, &wakers[1]).is_pending());
    assert!(poll_future(&mut third, &wakers[2]).is_pending());
    assert_eq!((port.try_recv(), counts()), (Ok(0), vec![1, 0, 0]));
    let Poll::Ready(Ok(permit)) = poll_future(&mut first, &wakers[0]) else { panic!("it is granted") };
    drop(permit);
    assert_eq!(counts(), [1, 1, 0], "the permit was not used");
    assert_eq!(poll_future(&mut second, &wakers[1]), Poll::Ready(Ok(())));
    assert_eq!(poll_future(&mut second, &wakers[1]), Poll::Ready(Ok(())), "nothing is sent twice");
    assert_eq!((port.try_recv(), counts()), (Ok(2), vec![1, 1, 1]));
    let Poll::Ready(Ok(permit)) = poll_future(&mut third, &wakers[2]) else { panic!("it is granted") };
    permit.send(3).expect("the port is there");
    assert_eq!(port.try_recv(), Ok(3));
}

/// A send that waits gives its value back, and what it was granted.
#[test]
fn a_send_that_is_taken_back() {
    let (chan, mut port) = full(1);
    let sending = begun(chan.send_async(5), Waker::noop());
    assert_eq!(port.try_recv(), Ok(0));
    assert_eq!(sending.into_inner(), Some(5));
    assert_free(&chan, 1);
    let mut sending = chan.send_async(7);
    assert_eq!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Ok(())));
    assert_eq!(sending.into_inner(), None);
}

/// A batch makes room for as many requests. All of them are woken, though one of the wakers panics, and the
/// batch is received.
#[test]
fn a_batch_makes_room_for_as_many() {
    let (chan, mut port) = full(3);
    let counters = [WakeCounter::new(), WakeCounter::on_wake(panics), WakeCounter::new()];
    let mut requests = [(); 3].map(|()| chan.reserve_async());
    for (request, (_, waker)) in requests.iter_mut().zip(&counters) {
        assert!(poll_future(request, waker).is_pending());
    }
    let mut received = Vec::new();
    assert!(caught(|| port.recv_many(&mut received, 3)).is_some(), "the panic is not swallowed");
    assert_eq!(received, [0, 1, 2]);
    assert!(counters.iter().all(|(wakes, _)| wakes.count() == 1));
    drop(requests);
    assert_free(&chan, 3);

    let (chan, mut port) = full(8);
    assert_eq!(port.try_recv_many(&mut received, 5), Ok(5));
    assert_eq!((0..9).filter(|&number| chan.try_send(number).is_ok()).count(), 5);
}

/// A permit is dropped in a panic, and the waker that this calls panics as well: no abort, nothing is lost.
#[test]
fn a_permit_that_is_dropped_in_a_panic() {
    let (chan, _port) = shared_sync_stream::<u64>(1);
    let permit = chan.reserve().expect("there is room");
    let (wakes, waker) = WakeCounter::on_wake(panics);
    let mut request = begun(chan.reserve_async(), &waker);
    let panic = caught(move || {
        let _permit = permit;
        panics();
    });
    assert!(panic.is_some() && wakes.count() == 1);
    assert!(poll_future(&mut request, &waker).is_ready());
    drop(request);
    assert_free(&chan, 1);
}

/// The destructor of a waker calls into the stream, when its request is dropped.
#[test_in(watched)]
fn a_waker_whose_destructor_sends() {
    let (chan, mut port) = full(1);
    let also = Mutex::new(chan.clone());
    let waker = WakeCounter::on_drop(move || {
        assert!(also.lock().expect("no thread panics").try_send(2).is_err(), "there is no room");
    });
    let request = begun(chan.reserve_async(), &waker);
    drop((waker, request));
    assert_eq!(port.recv(), Ok(0));
    assert_free(&chan, 1);
}

/// A send is given up, and the destructor of its waker panics: the value is dropped with the panic, or is in
/// its vector again. (It was once leaked.)
#[test]
fn a_waker_whose_destructor_panics_when_a_send_is_given_up() {
    for capacity in [0, 1] {
        let drops = DropCounter::new();
        let (chan, _port) = shared_sync_stream(capacity);
        (0..capacity).for_each(|_| assert!(chan.send(drops.make(0)).is_ok()));
        let waker = WakeCounter::on_drop(panics);
        let sending = begun(chan.send_async(drops.make(1)), &waker);
        drop(waker);
        assert!(caught(|| sending.into_inner()).is_some(), "the panic is not swallowed");
        assert_eq!(drops.dropped(), 1);

        let waker = WakeCounter::on_drop(panics);
        let mut values = vec![drops.make(2), drops.make(3)];
        let sending = begun(chan.send_all_async(&mut values), &waker);
        drop(waker);
        assert!(caught(|| drop(sending)).is_some(), "the panic is not swallowed");
        assert!(values.iter().rev().map(|value| value.number).eq((2..=3).rev().take(1 + capacity)));
        drop((chan, _port, values));
        drops.assert_all_dropped();
    }
}

/// A request that was granted room and is forgotten keeps it. The port that leaves ends all waits.
#[test]
fn a_request_that_is_forgotten() {
    let (chan, mut port) = full(1);
    let request = begun(chan.reserve_async(), Waker::noop());
    std::mem::forget(request);
    assert_eq!(port.recv(), Ok(0));
    assert!(chan.send_timeout(2, Duration::from_micros(50)).is_err(), "the room is not given back");
    let mut sending = begun(chan.send_async(3), Waker::noop());
    drop(port);
    assert!(matches!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Err(_))));
}

/// A permit outlives the port: its send returns the message, and its destructor does no harm.
#[test]
fn a_permit_that_outlives_the_port() {
    let drops = DropCounter::new();
    let (chan, port) = shared_sync_stream(2);
    let (first, second) = (chan.reserve().expect("there is room"), chan.reserve().expect("there is room"));
    let mut request = begun(chan.reserve_async(), Waker::noop());
    drop(port);
    drop(first);
    assert_eq!(second.send(drops.make(5)).map_err(|error| error.into_payload().number), Err(5));
    assert!(matches!(poll_future(&mut request, Waker::noop()), Poll::Ready(Err(_))));
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Closed(())));
    assert!(chan.reserve().is_err() && chan.send(drops.make(6)).is_err());
    drops.assert_all_dropped();
}

/// A chan that is the only sender waits for room, and its permit sends without waiting.
#[test_in(watched)]
fn room_of_the_only_sender() {
    let (mut chan, mut port) = sync_stream(1);
    drop(chan.try_reserve().expect("there is room"));
    chan.try_reserve().expect("it stays").send(1).expect("the port is here");
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())));
    assert_eq!(chan.reserve_timeout(Duration::ZERO).map(drop), Err(SendTimeoutError::Timeout(())));
    let (wakes, waker) = WakeCounter::new();
    let mut reserving = begun(Box::pin(chan.reserve_async()), &waker);
    assert_eq!(port.recv(), Ok(1));
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Ok(permit)) = poll_future(&mut reserving, &waker) else { panic!("there is room") };
    permit.send(2).expect("the port is here");
    drop(reserving);
    let waiting = spawn(move || chan.reserve().map(drop));
    assert_eq!(port.recv(), Ok(2));
    waiting.join().expect("it does not panic").expect("there is room");
}

/// Where the port has left there is no room, and a permit that was there before returns its value.
#[test]
fn room_of_the_only_sender_ends_with_the_port() {
    for (mut chan, port) in [stream(), sync_stream(1)] {
        let permit = chan.reserve().expect("there is room");
        drop(port);
        assert_eq!(permit.send(7).expect_err("the port has gone").into_payload(), 7);
        assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Closed(())));
        assert_eq!(chan.reserve_deadline(Instant::now()).map(drop), Err(SendTimeoutError::Closed(())));
        assert!(chan.reserve().is_err());
        assert!(matches!(
            poll_future(&mut Box::pin(chan.reserve_async()), Waker::noop()),
            Poll::Ready(Err(_))
        ));
    }
}

/// A permit that contains its chan keeps the room until it sends, is released, or is dropped.
#[test]
fn owned_permits_are_room() {
    let (chan, mut port) = shared_sync_stream(1);
    let permit = chan.clone().reserve_owned().expect("there is room");
    let Err(TrySendError::Full(other)) = chan.clone().try_reserve_owned() else { panic!("there is no room") };
    let (wakes, waker) = WakeCounter::new();
    let mut reserving = begun(Box::pin(other.reserve_owned_async()), &waker);
    let sender = permit.release();
    assert_eq!(wakes.count(), 1);
    let Poll::Ready(Ok(permit)) = poll_future(&mut reserving, &waker) else { panic!("there is room") };
    assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
    assert_eq!(permit.send(2).expect("the port is here").try_send(3), Err(TrySendError::Full(3)));
    assert_eq!(port.recv(), Ok(2));
    drop(chan.clone().try_reserve_owned().expect("there is room"));
    assert_free(&chan, 1);
    let mut cancelled = Box::pin(chan.clone().reserve_owned_async());
    assert!(poll_future(&mut cancelled, Waker::noop()).is_ready());
    drop(cancelled);
    assert_free(&chan, 1);
    let permit = chan.clone().reserve_owned().expect("there is room");
    drop(port);
    assert!(permit.send(4).is_err_and(|error| error.into_payload() == 4));
    let Err(TrySendError::Closed(chan)) = chan.try_reserve_owned() else { panic!("the port has gone") };
    let chan = chan.reserve_owned().expect_err("the port has gone").into_payload();
    assert!(matches!(
        poll_future(&mut Box::pin(chan.reserve_owned_async()), Waker::noop()),
        Poll::Ready(Err(_))
    ));
}
