//! A sender of a broadcast waits for room, and a receiver receives or leaves.

use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::broadcast;
use std::future::Future;
use std::task::{Context, Poll};

/// The slower of two receivers leaves while a sender begins to wait.
#[test]
fn the_slow_one_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let slow = port.clone();
        chan.send(sent.clone()).expect("the ports are there");
        drop(port.try_recv().expect("it was sent"));
        let receiver = thread::spawn(move || drop(slow));
        chan.send(sent).expect("a port is there");
        receiver.join().unwrap();
        drop(port.try_recv().expect("it was sent"));
        assert_only(&count);
    });
}

/// The only receiver leaves while a sender begins to wait. The sender gets its value back.
#[test]
fn the_only_one_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = broadcast(1);
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || drop(port));
        drop(chan.send(sent).expect_err("there was never room"));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// One of two receivers leaves while the other one receives the same message.
#[test]
fn one_leaves_and_one_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = broadcast(1);
        let other = port.clone();
        chan.send(sent.clone()).expect("the ports are there");
        let receiver = thread::spawn(move || drop(other));
        drop(port.try_recv().expect("it was sent"));
        chan.send(sent).expect("a port is there");
        receiver.join().unwrap();
        drop(port);
        assert_only(&count);
    });
}

/// The first sender in the line gives up while room is made. The second is woken in any case.
#[test]
fn the_first_gives_up() {
    loom::model(|| {
        let (chan, mut port) = broadcast(1);
        chan.send(0).expect("the port is there");
        let ((_, waker), (wakes, other)) = (WakeCounter::new(), WakeCounter::new());
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
        assert!(wakes.count() > 0, "the room was lost");
        assert_eq!(second.as_mut().poll(&mut Context::from_waker(&other)), Poll::Ready(Ok(())));
        assert_eq!(port.try_recv(), Ok(2));
    });
}
