//! Senders that wait for room. What holds for every line of senders is in the table.

use super::positions::rest;
use pipes::{BroadcastChan, BroadcastPort, TrySendError, broadcast};
use pipes_tests::{WakeCounter, effort, poll_future, spawn, test_in, watched};
use std::task::{Poll, Waker};
use std::time::Duration;

fn full(capacity: u64) -> (BroadcastChan<u64>, BroadcastPort<u64>) {
    let (chan, port) = broadcast(capacity as usize);
    (0..capacity).for_each(|number| chan.try_send(number).expect("there is room"));
    (chan, port)
}

/// The first in the line wakes the next one if there is room for both.
#[test]
fn the_line_moves_on_as_long_as_there_is_room() {
    let (chan, mut port) = full(3);
    let (counters, wakers): (Vec<_>, Vec<_>) = (0..3).map(|_| WakeCounter::new()).unzip();
    let mut line = [3, 4, 5].map(|number| chan.send_async(number));
    for (sending, waker) in line.iter_mut().zip(&wakers) {
        assert!(poll_future(sending, waker).is_pending());
    }
    assert_eq!(rest(&mut port), [0, 1, 2]);
    for (place, sending) in line.iter_mut().enumerate() {
        assert_eq!(counters[place].count(), 1);
        assert_eq!(poll_future(sending, Waker::noop()), Poll::Ready(Ok(())));
    }
    assert_eq!(rest(&mut port), [3, 4, 5]);
}

/// A send that is given up leaves the line at any place, before or after there is room. The others go on.
#[test]
fn a_send_that_is_given_up() {
    for (place, has_room) in (0..3).flat_map(|place| [(place, false), (place, true)]) {
        let (chan, mut port) = full(1);
        let (counters, wakers): (Vec<_>, Vec<_>) = (0..3).map(|_| WakeCounter::new()).unzip();
        let mut line: Vec<_> = [1, 2, 3].map(|number| Some(chan.send_async(number))).into();
        for (sending, waker) in line.iter_mut().flatten().zip(&wakers) {
            assert!(poll_future(sending, waker).is_pending());
        }
        if has_room {
            assert_eq!(port.recv(), Ok(0));
        }
        line[place] = None;
        let mut received = if has_room { vec![] } else { vec![port.recv().expect("it was sent")] };
        received.clear();
        let first = usize::from(place == 0);
        assert_eq!(counters[first].count(), 1, "the first of those that are left");
        for sending in line.iter_mut().flatten() {
            assert_eq!(poll_future(sending, Waker::noop()), Poll::Ready(Ok(())));
            received.extend(rest(&mut port));
        }
        assert!(received.into_iter().eq((1..4).filter(|number| *number != place as u64 + 1)));
        assert_eq!(chan.try_send(9), Ok(()));
    }
}

/// Senders in the line stay there if receivers leave and another one comes before they look. Only the last
/// receiver that leaves wakes them.
#[test]
fn a_receiver_comes_before_the_line_has_seen_that_there_was_none() {
    let (chan, port) = full(1);
    let clone = port.clone();
    let (wakes, waker) = WakeCounter::new();
    let mut line = [1, 2].map(|number| chan.send_async(number));
    assert!(line.iter_mut().all(|sending| poll_future(sending, &waker).is_pending()));
    drop(clone);
    assert_eq!(wakes.count(), 0);
    drop(port);
    assert_eq!(wakes.count(), 2);
    let mut port = chan.subscribe();
    assert!(poll_future(&mut line[1], Waker::noop()).is_pending(), "it is not the first");
    for (number, sending) in (1..).zip(&mut line) {
        assert_eq!(poll_future(sending, Waker::noop()), Poll::Ready(Ok(())));
        assert_eq!(port.recv(), Ok(number));
    }
}

/// A slow receiver that is dropped wakes a thread that waits for room.
#[test_in(watched)]
fn a_dropped_receiver_wakes_a_thread() {
    for _ in 0..effort(50) {
        let (chan, mut fast) = full(1);
        let slow = fast.clone();
        assert_eq!(fast.recv(), Ok(0));
        let sending = spawn(move || chan.send(1).is_ok());
        drop(slow);
        assert!(sending.join().expect("it does not panic"));
        assert_eq!(fast.recv(), Ok(1));
    }
}

/// Threads send in every way, to receivers that come and go. The receiver that stays gets every message that
/// was sent, each sender's in order.
#[test_in(watched)]
fn every_kind_of_send() {
    const EACH: u64 = 100;
    for capacity in [1, 2, 5] {
        let (chan, mut port) = broadcast(capacity);
        let (left, guests) = (chan.clone(), port.clone());
        let senders = [0, 1, 2].map(|own: u64| {
            let chan = chan.clone();
            spawn(move || {
                let mut sent = Vec::new();
                for number in own * EACH..(own + 1) * EACH {
                    let is_sent = match number % 5 {
                        0 => chan.try_send(number).is_ok(),
                        1 => chan.send_timeout(number, Duration::from_micros(number)).is_ok(),
                        2 => {
                            let mut sending = chan.send_async(number);
                            poll_future(&mut sending, Waker::noop()).is_ready()
                        }
                        3 => futures::executor::block_on(chan.send_async(number)).is_ok(),
                        _ => chan.send(number).is_ok(),
                    };
                    sent.extend(is_sent.then_some(number));
                }
                sent
            })
        });
        drop((chan, left));
        let coming = spawn(move || {
            for round in 0..50 {
                let mut guest = if round % 2 == 0 { guests.subscribe() } else { guests.clone() };
                let _any = guest.recv_timeout(Duration::from_micros(round));
            }
        });
        let received: Vec<_> = port.iter().collect();
        coming.join().expect("it does not panic");
        for (own, sender) in (0..).zip(senders) {
            let mine = received.iter().copied().filter(|number| number / EACH == own);
            assert!(mine.eq(sender.join().expect("it does not panic")));
        }
    }
}

/// In an arm of a selection, a sender waits for room in the line. The room is its own until the choice.
#[test_in(watched)]
fn arms_that_send() {
    let (mut chan, mut port) = full(1);
    let other = chan.clone();
    let (mut lagging, mut late) = pipes::broadcast_lagging(1);
    let (_numbers, mut idle) = pipes::stream::<u64>();
    let chosen = pipes::select! {
        sent = chan.send(1) => sent.is_ok(),
        _number = idle => false,
        default => false,
    };
    assert!(!chosen, "there is no room");
    let receiving = spawn(move || (port.recv(), port));
    let sent = pipes::select! {
        sent = chan.send(1) => sent,
        _number = idle => unreachable!("nothing was sent"),
    };
    assert_eq!(sent, Ok(()));
    let (received, mut port) = receiving.join().expect("it does not panic");
    assert_eq!(received, Ok(0));
    assert_eq!(other.try_send(2), Err(TrySendError::Full(2)));
    assert_eq!(port.recv(), Ok(1));
    let sent = pipes::select! {
        sent = lagging.send(3) => sent,
        _number = idle => unreachable!("nothing was sent"),
    };
    assert_eq!((sent, late.recv()), (Ok(()), Ok(Ok(3))));
    assert_eq!(other.try_send(4), Ok(()), "the line is empty");
    drop(port);
    let sent = pipes::select! {
        sent = chan.send(5) => sent,
        _number = idle => unreachable!("nothing was sent"),
    };
    assert!(sent.is_err_and(|error| error.into_payload() == 5), "there is no receiver");
}

/// An arm that is not chosen leaves the line.
#[test]
fn an_arm_that_is_not_chosen() {
    let (mut chan, mut port) = full(1);
    let other = chan.clone();
    let (mut numbers, mut ready) = pipes::stream();
    numbers.send(7).expect("it has a receiver");
    let number = futures::executor::block_on(async {
        pipes::select_async! {
            sent = chan.send(1) => sent.map(|()| 0).unwrap_or_default(),
            number = ready => number.expect("it was sent"),
        }
    });
    assert_eq!(number, 7);
    assert_eq!(port.recv(), Ok(0));
    assert_eq!(other.try_send(2), Ok(()));
}
