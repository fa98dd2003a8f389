//! The sender of a bounded stream finds no room and waits, while the port receives. The sender must learn of
//! the room, and messages must stay in order.

use crate::support::{WakeCounter, assert_only, payload};
use loom::future::block_on;
use loom::thread;
use pipes::sync_stream;
use std::future::Future;
use std::pin::pin;
use std::task::Context;

#[test]
fn thread_waits_for_room() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(1);
        let sender = thread::spawn(move || {
            assert!(chan.try_send(sent.clone()).is_ok());
            chan.send(sent).expect("the port is there");
        });
        for _ in 0..2 {
            drop(port.recv().expect("two were sent"));
        }
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn task_waits_for_room() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(2);
        for number in 0..2 {
            assert!(chan.try_send(number).is_ok());
        }
        assert!(chan.try_send(9).is_err(), "it is full");
        let sender = thread::spawn(move || {
            assert!(block_on(chan.send_async(2)).is_ok());
            assert!(block_on(chan.send_async(3)).is_ok());
        });
        for number in 0..4 {
            assert_eq!(port.recv(), Ok(number));
        }
        sender.join().unwrap();
    });
}

/// A sender and a receiver that do not wait find room and messages exactly when there are some.
#[test]
fn no_more_than_the_capacity() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(0).is_ok());
        let receiver = thread::spawn(move || {
            let mut next = 0;
            while let Ok(number) = port.try_recv() {
                assert_eq!(number, next);
                next += 1;
            }
            (port, next)
        });
        let mut sent = 1;
        for _ in 0..2 {
            sent += i32::from(chan.try_send(sent).is_ok());
        }
        let (mut port, received) = receiver.join().unwrap();
        assert!(sent - received <= 1, "more is under way than there is room for");
        assert_eq!(port.try_recv().is_ok(), sent > received);
    });
}

/// A future that waits for room is dropped. Its message is not sent.
#[test]
fn dropped_future_against_receive() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(sent.clone()).is_ok());
        let receiver = thread::spawn(move || {
            drop(port.recv().expect("one was sent"));
            port
        });
        let (_wakes, waker) = WakeCounter::new();
        let ready = pin!(chan.send_async(sent)).poll(&mut Context::from_waker(&waker)).is_ready();
        drop(waker);
        let mut port = receiver.join().unwrap();
        assert_eq!(port.try_recv().is_ok(), ready);
        assert!(port.try_recv().is_err());
        assert_only(&count);
    });
}

/// The chan is polled spuriously, sends, and waits for room again, all before the port has woken the first
/// waiter.
#[test]
fn spurious_polls() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(0).is_ok());
        let receiver = thread::spawn(move || (0..3).filter(|_| port.try_recv().is_ok()).count());
        let (_wakes, waker) = WakeCounter::new();
        let mut sent = 1;
        for _ in 0..3 {
            let mut sending = pin!(chan.send_async(sent));
            for _ in 0..2 {
                if sending.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                    sent += 1;
                    break;
                }
            }
        }
        assert!(receiver.join().unwrap() <= sent);
    });
}
