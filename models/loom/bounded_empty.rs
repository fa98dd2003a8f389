//! The port of a bounded stream finds no message and waits, while the sender sends.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::future::block_on;
use loom::thread;
use pipes::{RecvTimeoutError, sync_stream};
use std::time::Duration;

#[test]
fn thread_waits_for_a_message() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        let sender = thread::spawn(move || {
            for _ in 0..3 {
                chan.send(sent.clone()).expect("the port is there");
            }
        });
        for _ in 0..3 {
            drop(port.recv().expect("three were sent"));
        }
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn task_waits_for_a_message() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        let sender = thread::spawn(move || {
            assert!(chan.send(1).is_ok());
            assert!(chan.try_send(2).is_ok() || chan.send(2).is_ok());
        });
        assert_eq!(block_on(port.recv_async()), Ok(1));
        assert_eq!(block_on(port.recv_async()), Ok(2));
        sender.join().unwrap();
    });
}

#[test]
fn receiver_gives_up() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        let sender = thread::spawn(move || assert!(chan.try_send(1).is_ok()));
        match port.recv_timeout(Duration::from_secs(1)) {
            Ok(number) => assert_eq!(number, 1),
            Err(RecvTimeoutError::Timeout(_)) => assert_eq!(port.recv(), Ok(1)),
            Err(RecvTimeoutError::Closed) => panic!("one was sent"),
        }
        sender.join().unwrap();
    });
}

/// The port is polled spuriously, takes the message, and waits for the next one, all before the sender has
/// woken the first waiter.
#[test]
fn spurious_polls() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        let sender = thread::spawn(move || {
            for _ in 0..3 {
                drop(chan.try_send(sent.clone()));
            }
        });
        let (_wakes, waker) = WakeCounter::new();
        for _ in 0..3 {
            let _ = poll(&mut port, &waker);
            drop(port.try_recv());
        }
        sender.join().unwrap();
        drop(port);
        drop(waker);
        assert_only(&count);
    });
}
