//! In a bounded stream with many senders, selections reserve room, and give it back if another arm is chosen.

use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{SharedChan, oneshot, select, select_async, shared_sync_stream};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Creates a selection that only sends.
fn sending(mut chan: SharedChan<u32>, value: u32) -> Pin<Box<impl Future<Output = bool>>> {
    Box::pin(async move {
        select_async! { sent = chan.send(value) => sent.is_ok() }
    })
}

fn poll<F: Future>(future: &mut Pin<Box<F>>, waker: &Waker) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(waker))
}

/// The first selection in the line is dropped while room is made. The second gets the room in any case.
#[test]
fn first_is_dropped() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(0).expect("the port is there");
        let ((_, waker), (wakes, other)) = (WakeCounter::new(), WakeCounter::new());
        let (mut first, mut second) = (sending(chan.clone(), 1), sending(chan, 2));
        assert!(poll(&mut first, &waker).is_pending());
        assert!(poll(&mut second, &other).is_pending());
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            port
        });
        drop(first);
        let mut port = receiver.join().unwrap();
        assert_eq!(wakes.count(), 1, "the room was lost");
        assert_eq!(poll(&mut second, &other), Poll::Ready(true));
        assert_eq!(port.try_recv(), Ok(2));
    });
}

/// The first selection in the line chooses another arm while room is made, or sends. The second gets the room
/// that is left.
#[test]
fn first_chooses_another_arm() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(1);
        let (word, mut words) = oneshot();
        chan.send(0).expect("the port is there");
        let ((_, waker), (wakes, other)) = (WakeCounter::new(), WakeCounter::new());
        let mut mine = chan.clone();
        let mut first = Box::pin(async move {
            select_async! {
                sent = mine.send(1) => sent.is_ok(),
                word = words => word.is_err(),
            }
        });
        let mut second = sending(chan, 2);
        assert!(poll(&mut first, &waker).is_pending());
        assert!(poll(&mut second, &other).is_pending());
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            port
        });
        word.send(()).expect("it is waited for");
        let Poll::Ready(sent) = poll(&mut first, &waker) else { panic!("a word is there") };
        let mut port = receiver.join().unwrap();
        if sent {
            assert_eq!((wakes.count(), port.try_recv()), (0, Ok(1)));
        }
        assert_eq!(wakes.count(), 1, "the room was lost");
        assert_eq!(poll(&mut second, &other), Poll::Ready(true));
        assert_eq!(port.try_recv(), Ok(2));
    });
}

/// Two selections do not wait, and room was made before for one of them. One of them sends.
#[test]
fn two_look_for_the_room_of_one() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(1);
        let looks = [chan.clone(), chan].map(|mut chan| {
            let sent = sent.clone();
            thread::spawn(move || select! { sent = chan.send(sent) => sent.is_ok(), default => false })
        });
        drop(sent);
        let sent = looks.map(|look| look.join().unwrap());
        assert!(sent[0] != sent[1], "there is room for exactly one");
        assert!(port.try_recv().is_ok() && port.try_recv().is_err());
        assert_only(&count);
    });
}

/// A thread selects while room is made, and sleeps if it comes too early.
#[test]
fn thread_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || {
            select! { sent = chan.send(sent) => sent.expect("the port is there") }
        });
        drop(port.recv().expect("one was sent"));
        drop(port.recv().expect("another one is sent when there is room"));
        sender.join().unwrap();
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

/// The port is dropped while a thread selects. The thread gets its value back.
#[test]
fn port_goes() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || {
            select! { unsent = chan.send(sent) => drop(unsent.expect_err("there was never room")) }
        });
        drop(port);
        sender.join().unwrap();
        assert_only(&count);
    });
}
