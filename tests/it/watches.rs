//! Channels that have the latest value only.

use futures::executor::block_on;
use pipes::{Closed, PortSet, Readiness, Receive, RecvError, RecvTimeoutError, TryRecvError, watch};
use pipes_tests::{
    DropCounter, WakeCounter, caught, effort, panics, poll, poll_future, spawn, test_in, watched,
};
use std::task::Poll;
use std::time::{Duration, Instant};

#[test]
fn only_the_latest_value_is_seen() {
    let (chan, mut port) = watch(0);
    assert!(!port.is_ready(), "the initial value counts as seen");
    assert_eq!(*port.borrow(), 0);
    (1..=3).for_each(|value| chan.send(value).expect("it has a receiver"));
    assert!(port.is_ready());
    assert_eq!(*port.borrow(), 3);
    assert!(port.is_ready(), "a borrow marks nothing");
    assert_eq!(port.changed(), Ok(()));
    assert!(!port.is_ready());
    assert_eq!(port.changed_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
    chan.send(4).expect("it has a receiver");
    assert_eq!(*port.borrow_and_update(), 4);
    assert!(!port.is_ready());
    assert_eq!((*chan.borrow(), *port.borrow()), (4, 4));
}

/// The last value is a change even after the close, and can be borrowed for ever.
#[test]
fn the_last_value_stays() {
    let (chan, mut port) = watch(0);
    let mut seen = port.clone();
    chan.send(1).expect("it has receivers");
    assert_eq!(seen.changed(), Ok(()));
    drop(chan);
    assert!(seen.is_closed() && !port.is_closed());
    assert_eq!(port.changed(), Ok(()));
    assert_eq!((port.changed(), *port.borrow()), (Err(RecvError), 1));
    assert!(matches!(Receive::try_recv(&mut port), Err(TryRecvError::Closed)));
    assert_eq!(block_on(seen.changed_async()), Err(RecvError));
}

/// A clone has seen what its original has seen; a subscriber has seen the latest value.
#[test]
fn clones_and_subscribers() {
    let (chan, port) = watch(0);
    chan.send(1).expect("it has a receiver");
    let (clone, subscriber) = (port.clone(), chan.subscribe());
    assert!(port.is_ready() && clone.is_ready() && !subscriber.is_ready());
    assert_eq!(*subscriber.borrow(), 1);
}

#[test]
fn without_receivers_the_value_comes_back() {
    let (chan, port) = watch(0);
    drop(port.clone());
    assert!(!chan.is_closed());
    drop(port);
    assert!(chan.is_closed());
    assert_eq!(chan.send(1).unwrap_err().into_payload(), 1);
    assert_eq!(*chan.borrow(), 0);
    assert!(chan.send_if_modified(|value| std::mem::replace(value, 2) == 0), "it needs no receiver");
    let port = chan.subscribe();
    assert_eq!((*port.borrow(), port.is_ready()), (2, false));
}

#[test]
fn only_what_is_modified_is_a_change() {
    let (chan, mut port) = watch(1);
    let (wakes, waker) = WakeCounter::new();
    assert!(poll(&mut port, &waker).is_pending());
    assert!(!chan.send_if_modified(|value| {
        *value = 2;
        false
    }));
    assert_eq!((wakes.count(), port.is_ready(), *port.borrow()), (0, false, 2));
    assert!(caught(|| chan.send_if_modified(|_| panics_and_says(true))).is_some());
    assert_eq!((wakes.count(), port.is_ready()), (0, false));
    assert!(chan.send_if_modified(|value| {
        *value = 3;
        true
    }));
    assert_eq!((wakes.count(), port.is_ready(), *port.borrow()), (1, true, 3));
}

fn panics_and_says(modified: bool) -> bool {
    panics();
    modified
}

/// A change wakes all that wait; one that has seen it in another way waits again.
#[test]
fn a_change_wakes_all() {
    let (chan, port) = watch(0);
    let mut waiting: Vec<_> = (0..3).map(|_| (port.clone(), WakeCounter::new())).collect();
    assert!(waiting.iter_mut().all(|(port, (_, waker))| poll(port, waker).is_pending()));
    chan.send(1).expect("it has receivers");
    for (port, (wakes, waker)) in &mut waiting {
        assert_eq!(wakes.count(), 1);
        assert_eq!(*port.borrow_and_update(), 1);
        assert!(poll(port, waker).is_pending(), "no false alarm");
        assert!(!Readiness::wait(port, Some(Instant::now())), "no false alarm");
        assert_eq!(poll_future(&mut port.changed_async(), waker), Poll::Pending);
    }
    drop(chan);
    assert!(waiting.iter().all(|(port, (wakes, _))| wakes.count() == 2 && port.is_closed()));
}

/// The earlier value is dropped by the send, without the lock.
#[test_in(watched)]
fn a_destructor_may_use_the_channel() {
    let drops = DropCounter::new();
    let (chan, port) = watch(None);
    let other = port.clone();
    let value = drops.make_with(1, move || assert_eq!(other.borrow().as_ref().map_or(0, number), 2));
    chan.send(Some(value)).expect("it has receivers");
    chan.send(Some(drops.make(2))).expect("it has receivers");
    assert_eq!((drops.made(), drops.dropped()), (2, 1));
    drop((chan, port));
    drops.assert_all_dropped();
}

fn number(value: &pipes_tests::Counted) -> u64 {
    value.number
}

/// A waker may borrow the value and send another one.
#[test_in(watched)]
fn a_waker_may_use_the_channel() {
    let (chan, mut port) = watch(0);
    let other = port.clone();
    let (wakes, waker) = WakeCounter::on_wake(move || assert_eq!(*other.borrow(), 1));
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(1).expect("it has receivers");
    assert_eq!(wakes.count(), 1);
}

#[test]
fn members_of_a_set() {
    let (chan, port) = watch(0);
    let mut set: PortSet<_> = [port.clone(), port.clone()].into_iter().collect();
    assert!(set.try_recv().is_err());
    chan.send(1).expect("it has receivers");
    assert_eq!([set.try_recv(), set.try_recv()], [Ok((0, Ok(()))), Ok((1, Ok(())))]);
    assert!(set.try_recv().is_err(), "seen");
    let waiting = spawn(move || {
        let changed = [set.recv(), set.recv()].map(|it| it.expect("it has members").1);
        assert_eq!(changed, [Err(Closed), Err(Closed)]);
    });
    drop(chan);
    waiting.join().expect("both close");
    assert_eq!(*port.borrow(), 1);
}

/// Whatever the receivers miss, the last value is seen by each, and values are seen in order.
#[test_in(watched)]
fn no_receiver_misses_the_last_value() {
    for round in 0..effort(20) {
        let (chan, port) = watch(0);
        let receivers = [0, 1, 2].map(|kind| {
            let mut port = port.clone();
            spawn(move || {
                let mut last = 0;
                loop {
                    let changed = match (kind + round) % 3 {
                        0 => port.changed(),
                        1 => block_on(port.changed_async()),
                        _ => port.changed_timeout(Duration::MAX).map_err(|_| RecvError),
                    };
                    let now = *port.borrow();
                    assert!(now >= last);
                    last = now;
                    if changed.is_err() {
                        return last;
                    }
                }
            })
        });
        drop(port);
        (1..=500).for_each(|value| chan.send(value).expect("it has receivers"));
        drop(chan);
        assert!(receivers.into_iter().all(|it| it.join().expect("it does not panic") == 500));
    }
}
