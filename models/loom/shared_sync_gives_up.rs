//! In a bounded stream with many senders, a sender gives up its place in the line or its permit, or the port
//! is dropped.

use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::shared_sync_stream;
use std::future::Future;
use std::task::{Context, Poll};

/// The first sender in the line gives up while room is made. The second gets it in any case.
#[test]
fn first_in_line_gives_up() {
    loom::model(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(0).expect("the port is there");
        let (_, waker) = WakeCounter::new();
        let (wakes, other) = WakeCounter::new();
        let mut first = Box::pin(chan.send_async(1));
        let mut second = Box::pin(chan.send_async(2));
        assert!(first.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert!(second.as_mut().poll(&mut Context::from_waker(&other)).is_pending());
        let receiver = thread::spawn(move || {
            assert_eq!(port.recv(), Ok(0));
            port
        });
        drop(first);
        let mut port = receiver.join().unwrap();
        assert_eq!(wakes.count(), 1, "the room was lost");
        assert_eq!(second.as_mut().poll(&mut Context::from_waker(&other)), Poll::Ready(Ok(())));
        assert_eq!(port.try_recv(), Ok(2));
    });
}

/// A permit goes back while another sender begins to wait.
#[test]
fn permit_goes_back() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_sync_stream(1);
        let other = chan.clone();
        let permit = chan.try_reserve().expect("there is room");
        let sender = thread::spawn(move || other.send(sent).expect("the port is there"));
        drop(permit);
        sender.join().unwrap();
        drop(port.try_recv().expect("it was sent"));
        drop(chan);
        assert_only(&count);
    });
}

/// The port is dropped while a sender begins to wait.
#[test]
fn port_goes() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || {
            let unsent = chan.send(sent).expect_err("there was never room");
            assert!(chan.reserve().is_err());
            drop(unsent);
        });
        drop(port);
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// The port is dropped while a task waits. The task gets its value back.
#[test]
fn port_goes_while_a_task_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(1);
        chan.send(sent.clone()).expect("the port is there");
        let (wakes, waker) = WakeCounter::new();
        let mut waiting = Box::pin(chan.send_async(sent));
        let receiver = thread::spawn(move || drop(port));
        let is_pending = waiting.as_mut().poll(&mut Context::from_waker(&waker)).is_pending();
        receiver.join().unwrap();
        assert_eq!(wakes.count(), usize::from(is_pending));
        if is_pending {
            let unsent = waiting.as_mut().poll(&mut Context::from_waker(&waker));
            assert!(matches!(unsent, Poll::Ready(Err(_))));
        }
        drop(waiting);
        assert_only(&count);
    });
}

/// The port is dropped while two senders with permits send. Each value is dropped once, and the blocks are
/// freed.
#[test]
fn port_goes_while_two_send() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_sync_stream(3);
        chan.send(sent.clone()).expect("the port is there");
        let senders = [chan.clone(), chan].map(|chan| {
            let sent = sent.clone();
            thread::spawn(move || drop(chan.send(sent)))
        });
        drop((port, sent));
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        assert_only(&count);
    });
}
