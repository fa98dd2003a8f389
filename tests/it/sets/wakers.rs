//! Which waiters the members of a set wake, and wakers that call into the set.

use super::streams;
use pipes::{Port, PortSet, Readiness, RecvTimeoutError, stream};
use pipes_tests::{Bell, caught, poll, poll_future, watched};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

#[test]
fn of_several_polls_the_last_waker_counts() {
    let (mut chans, mut set) = streams(2);
    let ((first, one), (last, two)) = (Bell::new(), Bell::new());
    for waker in [&one, &one, &two, &one, &two] {
        assert!(poll_future(&mut set.recv_async(), waker).is_pending());
    }
    chans[0].send(1).expect("the set is here");
    assert_eq!((first.rings(), last.rings()), (0, 1));
    chans[1].send(2).expect("the set is here");
    assert_eq!(last.rings(), 1, "it was woken");
    assert_eq!(poll_future(&mut set.recv_async(), &one), Poll::Ready(Ok((0, Ok(1)))));
    assert_eq!(poll_future(&mut set.recv_async(), &one), Poll::Ready(Ok((1, Ok(2)))));
    assert!(poll_future(&mut set.recv_async(), &one).is_pending());
    chans[0].send(3).expect("the set is here");
    assert_eq!((first.rings(), last.rings()), (1, 1));
    assert_eq!((first.wakers(), last.wakers()), (1, 1), "none is kept");
}

/// A thread waits where a task has waited before.
#[test]
fn a_thread_takes_the_place_of_a_task() {
    let (mut chans, mut set) = streams(1);
    let (bell, waker) = Bell::new();
    assert!(poll(&mut set, &waker).is_pending());
    bell.gives_way(|time| assert_eq!(set.recv_timeout(time), Err(RecvTimeoutError::Timeout(()))));
    chans[0].send(1).expect("the set is here");
    assert_eq!((bell.rings(), bell.wakers()), (0, 1));
    assert_eq!(set.try_recv(), Ok((0, Ok(1))));
}

/// A task waited for the member before its insertion: that task is not woken.
#[test]
fn a_waiter_from_before_the_insertion() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream();
    assert!(poll(&mut port, &waker).is_pending());
    let mut set = PortSet::new();
    let key = set.insert(port);
    assert_eq!(bell.wakers(), 1, "the set has taken its place");
    let (own, own_waker) = Bell::new();
    assert!(poll(&mut set, &own_waker).is_pending());
    chan.send(1).expect("the set is here");
    assert_eq!((bell.rings(), own.rings()), (0, 1));
    assert_eq!(set.try_recv(), Ok((key, Ok(1))));
}

/// The task was woken before the insertion: the member is ready.
#[test]
fn a_waiter_that_was_woken_before_the_insertion() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream();
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(1).expect("the port is here");
    let mut set = PortSet::new();
    let key = set.insert(port);
    assert_eq!(bell.rings(), 1);
    assert_eq!(set.try_recv(), Ok((key, Ok(1))));
    chan.send(2).expect("the set is here");
    assert_eq!((bell.rings(), set.try_recv()), (1, Ok((key, Ok(2)))));
}

/// A thread has given up a wait for the member before its insertion.
#[test]
fn a_thread_that_waited_before_the_insertion() {
    watched(|| {
        let (mut chan, mut port) = stream();
        assert!(port.recv_timeout(Duration::from_micros(50)).is_err());
        let mut set = PortSet::new();
        let key = set.insert(port);
        chan.send(1).expect("the set is here");
        assert_eq!(set.recv(), Ok((key, Ok(1))));
    });
}

/// After its removal a member wakes only its new owner.
#[test]
fn a_waiter_from_before_the_removal() {
    let (mut chans, mut set) = streams(2);
    let ((sets, sets_waker), (own, own_waker)) = (Bell::new(), Bell::new());
    assert!(poll(&mut set, &sets_waker).is_pending());
    let mut port = set.remove(&0).expect("it is a member");
    chans[0].send(1).expect("it is here");
    assert_eq!(sets.rings(), 0);
    assert!(poll(&mut port, &own_waker).is_ready());
    assert_eq!(port.try_recv(), Ok(1));
    assert!(poll(&mut port, &own_waker).is_pending());
    chans[0].send(2).expect("it is here");
    assert_eq!((sets.rings(), own.rings()), (0, 1));
    chans[1].send(3).expect("the set is here");
    assert_eq!((sets.rings(), set.try_recv()), (1, Ok((1, Ok(3)))));
}

/// A member is removed after the set was woken for it: the set looks, and finds nothing.
#[test]
fn a_wake_up_for_a_member_that_is_removed() {
    let (mut chans, mut set) = streams(2);
    let (bell, waker) = Bell::new();
    assert!(poll(&mut set, &waker).is_pending());
    chans[0].send(1).expect("the set is here");
    assert_eq!(bell.rings(), 1);
    let mut port = set.remove(&0).expect("it is a member");
    assert!(poll(&mut set, &waker).is_pending());
    chans[1].send(2).expect("the set is here");
    assert_eq!((bell.rings(), set.try_recv()), (2, Ok((1, Ok(2)))));
    assert_eq!(port.try_recv(), Ok(1));
}

type Shared = Arc<Mutex<Option<PortSet<Port<u64>>>>>;

/// A waker that receives from the set in the middle of the send.
#[test]
fn a_waker_that_comes_back() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        let place = Shared::default();
        let (inside, seen) = (place.clone(), Arc::new(Mutex::new(Vec::new())));
        let log = seen.clone();
        let (bell, waker) = Bell::that(move || {
            let mut place = inside.lock().expect("nobody panics");
            let set = place.as_mut().expect("it is there");
            while let Ok(turn) = set.try_recv() {
                log.lock().expect("nobody panics").push(turn);
            }
            set.insert(stream().1);
        });
        assert!(poll(&mut set, &waker).is_pending());
        *place.lock().expect("nobody panics") = Some(set);
        chans[2].send(5).expect("the set is there");
        assert_eq!(bell.rings(), 1);
        assert_eq!(*seen.lock().expect("nobody panics"), [(2, Ok(5))]);
        let set = place.lock().expect("nobody panics").take();
        assert_eq!(set.map(|set| set.len()), Some(4));
    });
}

/// A waker that drops the set whose member wakes it.
#[test]
fn a_waker_that_drops_the_set() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        let place = Shared::default();
        let inside = place.clone();
        let (bell, waker) = Bell::that(move || drop(inside.lock().expect("nobody panics").take()));
        assert!(poll(&mut set, &waker).is_pending());
        *place.lock().expect("nobody panics") = Some(set);
        chans[1].send(1).expect("the set is there");
        assert!(bell.rings() == 1 && chans.iter().all(|chan| chan.is_closed()));
    });
}

/// A waker whose destructor calls into the set, when it is replaced and when the set is dropped.
#[test]
fn a_waker_that_comes_back_when_it_is_dropped() {
    watched(|| {
        let (chans, mut set) = streams(2);
        let mut chans = chans.into_iter();
        for replaced in [false, true] {
            let mut chan = chans.next().expect("there are two");
            let sending = move || chan.send(7).expect("the set is here");
            let waker = Bell::at_last(sending);
            assert!(poll(&mut set, &waker).is_pending());
            drop(waker);
            if replaced {
                // The message comes while the second waker is registered.
                assert!(poll(&mut set, Waker::noop()).is_ready());
            } else {
                assert_eq!(set.recv_timeout(Duration::MAX), Ok((0, Ok(7))));
                assert_eq!(set.recv(), Ok((0, Err(pipes::Closed))));
            }
        }
        assert_eq!(set.try_recv(), Ok((1, Ok(7))));

        let (mut chan, port) = stream();
        let (mut other, _other_port) = stream::<u64>();
        let mut set = PortSet::new();
        set.insert(port);
        let waker = Bell::at_last(move || assert!(chan.send(8).is_err() && other.send(1).is_ok()));
        assert!(poll(&mut set, &waker).is_pending());
        drop(waker);
        drop(set);
    });
}

/// The message was sent before the waker was called, and is not lost.
#[test]
fn a_waker_that_panics() {
    watched(|| {
        let (mut chans, mut set) = streams(2);
        for close in [false, true] {
            let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
            assert!(poll(&mut set, &waker).is_pending());
            if close {
                let chan = chans.remove(0);
                assert!(caught(|| drop(chan)).is_some());
                assert_eq!(set.recv(), Ok((0, Err(pipes::Closed))));
            } else {
                assert!(caught(|| chans[0].send(1)).is_some());
                assert_eq!(set.recv(), Ok((0, Ok(1))));
            }
        }
        chans[0].send(2).expect("the set is here");
        assert_eq!(set.recv(), Ok((1, Ok(2))));
    });
}

/// A set that is dropped drops its waker, and so does one that is no longer polled.
#[test]
fn wakers_are_dropped_once() {
    let (bell, waker) = Bell::new();
    let (chans, mut set) = streams::<u64>(2);
    assert!(poll(&mut set, &waker).is_pending());
    assert_eq!(bell.wakers(), 2);
    drop(set);
    assert_eq!((bell.wakers(), bell.rings()), (1, 0));
    drop(chans);
    assert_eq!((bell.wakers(), bell.rings()), (1, 0));
    let (mut chans, mut set) = streams::<u64>(2);
    assert!(poll(&mut set, &waker).is_pending());
    assert!(!set.wait(Some(std::time::Instant::now())));
    assert_eq!(bell.wakers(), 2, "a look leaves it there");
    bell.gives_way(|time| assert!(!set.wait(std::time::Instant::now().checked_add(time))));
    chans[0].send(1).expect("the set is here");
    assert_eq!(bell.rings(), 0);
}
