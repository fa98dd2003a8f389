//! In a bounded stream with many senders, a sender that waits is woken by the receive that makes room for it,
//! and room goes to those that have waited longest.

use crate::support::{WakeCounter, assert_only, payload};
use loom::future::block_on;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use pipes::{SharedChan, shared_sync_stream};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

/// Returns `true` if the future is pending.
fn is_pending(future: Pin<&mut impl Future>, waker: &Waker) -> bool {
    future.poll(&mut Context::from_waker(waker)).is_pending()
}

#[test]
fn thread_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        drop(port.recv().expect("one was sent"));
        drop(port.recv().expect("another one is sent when there is room"));
        sender.join().unwrap();
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

#[test]
fn task_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || {
            drop(port.recv().expect("one was sent"));
            port
        });
        block_on(chan.send_async(sent)).expect("the port is there");
        let mut port = receiver.join().unwrap();
        drop(port.try_recv().expect("another one was sent"));
        drop(chan);
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// Two senders race for the room that one receive makes. One gets it, and the other one waits.
#[test]
fn two_want_the_room_of_one() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let (other, value) = (chan.clone(), sent.clone());
        let sender = thread::spawn(move || other.try_send(value).is_ok());
        drop(port.recv().expect("one was sent"));
        let mine = chan.try_send(sent).is_ok();
        let theirs = sender.join().unwrap();
        assert!(mine != theirs, "there is room for exactly one");
        assert!(port.try_recv().is_ok());
        assert!(port.try_recv().is_err(), "only one was sent");
        drop(chan);
        assert_only(&count);
    });
}

/// Two senders send when room was made before for both. Neither finds the stream full.
#[test]
fn room_for_both() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(2);
        chan.send_all(&mut vec![0, 1]).expect("the port is there");
        assert!(port.try_iter().eq([0, 1]));
        let other = chan.clone();
        let sender = thread::spawn(move || assert!(other.try_send(2).is_ok()));
        assert!(chan.try_send(3).is_ok());
        sender.join().unwrap();
        assert_eq!(port.try_iter().sum::<i32>(), 5);
    });
}

/// Checks that the sender that gets the room sees what a thread did before it received.
fn sees(room: usize) {
    /// Sends if there is room, and then looks for what was done before.
    fn send(chan: &SharedChan<()>, seen: &AtomicBool) {
        assert!(chan.try_send(()).is_err() || seen.load(Ordering::Relaxed));
    }
    loom::model(move || {
        let (chan, mut port) = shared_sync_stream(room);
        for _ in 0..room {
            chan.send(()).expect("the port is there");
        }
        let mark = Arc::new(AtomicBool::new(false));
        let seen = mark.clone();
        let receiver = thread::spawn(move || {
            mark.store(true, Ordering::Relaxed);
            let mut values = Vec::new();
            port.recv_many(&mut values, room).expect("they were sent");
            port
        });
        let senders: Vec<_> = (1..room)
            .map(|_| {
                let (chan, seen) = (chan.clone(), seen.clone());
                thread::spawn(move || send(&chan, &seen))
            })
            .collect();
        send(&chan, &seen);
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        drop(receiver.join().unwrap());
    });
}

#[test]
fn room_shows_what_was_before() {
    sees(1);
}

/// A sender that gets room which another sender has found sees it, too.
#[test]
fn room_found_by_another_shows_what_was_before() {
    sees(2);
}

/// One sender waits, and another one comes later. Room goes to the first.
#[test]
fn in_order() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(0).expect("the port is there");
        let (wakes, waker) = WakeCounter::new();
        let mut waiting = Box::pin(chan.send_async(1));
        assert!(is_pending(waiting.as_mut(), &waker));
        let late = chan.clone();
        let sender = thread::spawn(move || late.try_send(2).is_ok());
        assert_eq!(port.recv(), Ok(0));
        assert!(!is_pending(waiting.as_mut(), &waker), "the room is for the one that waited");
        assert_eq!(wakes.count(), 1);
        assert!(!sender.join().unwrap(), "the line was overtaken");
        assert_eq!(port.try_recv(), Ok(1));
    });
}

/// One of two senders waits, the other does not, and there is one receive. Exactly one of them gets the room.
#[test]
fn one_waits_and_one_tries() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(0).expect("the port is there");
        let (wakes, waker) = WakeCounter::new();
        let mut waiting = Box::pin(chan.send_async(1));
        let late = chan.clone();
        let tries = thread::spawn(move || late.try_send(2).is_ok());
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            port
        });
        let waits = is_pending(waiting.as_mut(), &waker);
        let mut port = receiver.join().unwrap();
        let overtaken = tries.join().unwrap();
        let is_granted = waits && wakes.count() == 1 && !is_pending(waiting.as_mut(), &waker);
        assert_eq!([!waits, is_granted, overtaken].into_iter().filter(|&it| it).count(), 1);
        assert_eq!(port.try_recv(), Ok(if overtaken { 2 } else { 1 }));
    });
}

/// Two senders wait in line, and a run makes room for both.
#[test]
fn two_wait_for_a_run() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(2);
        chan.send_all(&mut vec![0, 1]).expect("the port is there");
        let receiver = thread::spawn(move || {
            let mut values = Vec::new();
            let count = port.recv_many(&mut values, 2).expect("two were sent");
            assert_eq!((count, values), (2, vec![0, 1]));
            port
        });
        let (counters, wakers): (Vec<_>, Vec<_>) = [(); 2].map(|()| WakeCounter::new()).into_iter().unzip();
        let mut waiting = [2, 3].map(|value| Box::pin(chan.send_async(value)));
        let waits: Vec<_> =
            waiting.iter_mut().zip(&wakers).map(|(send, waker)| is_pending(send.as_mut(), waker)).collect();
        let mut port = receiver.join().unwrap();
        for (number, waits) in waits.into_iter().enumerate() {
            assert_eq!(counters[number].count(), usize::from(waits));
            if waits {
                assert!(!is_pending(waiting[number].as_mut(), &wakers[number]));
            }
        }
        // If the second did not have to wait, it may have sent before the first was polled again.
        assert_eq!(port.try_iter().sum::<i32>(), 5);
    });
}
