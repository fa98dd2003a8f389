//! In a bounded stream with many senders, a sender reserves room for several values at once.

use crate::support::WakeCounter;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use pipes::shared_sync_stream;
use std::future::Future;
use std::task::{Context, Poll};

/// Room comes back, value by value, while a sender begins to wait for two.
#[test]
fn room_comes_back() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(2);
        (0..2).for_each(|number| chan.send(number).expect("there is room"));
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            assert_eq!(port.recv(), Ok(1));
            port
        });
        let permits = chan.reserve_many(2).expect("the port is there");
        let mut port = receiver.join().unwrap();
        for (permit, number) in permits.zip(2..) {
            permit.send(number).expect("the port is there");
        }
        assert!(port.try_iter().eq([2, 3]));
    });
}

/// Two senders want all the room. Each sees what the one before has done while it had the room.
#[test]
fn one_after_the_other() {
    loom::model(|| {
        let (chan, _port) = shared_sync_stream::<u64>(2);
        let word = Arc::new(AtomicUsize::new(0));
        let other = thread::spawn({
            let (chan, word) = (chan.clone(), word.clone());
            move || {
                let permits = chan.reserve_many(2).expect("the port is there");
                let seen = word.load(Ordering::Relaxed);
                assert_eq!(word.fetch_add(1, Ordering::Relaxed), seen);
                drop(permits);
            }
        });
        let permits = chan.reserve_many(2).expect("the port is there");
        let seen = word.load(Ordering::Relaxed);
        assert_eq!(word.fetch_add(1, Ordering::Relaxed), seen);
        drop(permits);
        other.join().unwrap();
        assert_eq!(word.load(Ordering::Relaxed), 2);
    });
}

/// A sender that has got a part of its room gives up while the rest comes back. The next one gets all.
#[test]
fn first_in_line_gives_up() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(2);
        chan.send(0).expect("the port is there");
        let (_, waker) = WakeCounter::new();
        let (wakes, other) = WakeCounter::new();
        let mut first = Box::pin(chan.reserve_many_async(2));
        let mut second = Box::pin(chan.reserve_many_async(2));
        assert!(first.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(second.as_mut().poll(&mut Context::from_waker(&other)).is_pending());
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            port
        });
        drop(first);
        let _port = receiver.join().unwrap();
        assert_eq!(wakes.count(), 1, "the room was lost");
        let polled = second.as_mut().poll(&mut Context::from_waker(&other));
        assert!(matches!(polled, Poll::Ready(Ok(permits)) if permits.len() == 2));
    });
}
