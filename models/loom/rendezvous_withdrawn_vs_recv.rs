//! With capacity 0, the sender withdraws an offer while the receiver takes it. One of them gets the message,
//! and both know which one.

use crate::support::{WakeCounter, poll};
use loom::thread;
use pipes::sync_stream;
use std::future::Future;
use std::pin::pin;
use std::task::Context;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1);

/// Two offers are made in a row. The receiver may see the first and take the second.
#[test]
fn timeouts_against_looks() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            [1, 2].map(|number| match chan.send_timeout(Box::new(number), LONG) {
                Ok(()) => true,
                Err(error) => {
                    assert_eq!(*error.into_payload(), number);
                    false
                }
            })
        });
        let mut received = [false; 2];
        for _ in 0..2 {
            if let Ok(number) = port.try_recv() {
                received[*number - 1] = true;
            }
        }
        let sent = sender.join().unwrap();
        assert_eq!(sent, received);
        assert!(port.try_recv().is_err());
    });
}

/// Once a receiver is ready because of an offer, the sender cannot withdraw the offer.
#[test]
fn timeout_against_a_receiver_that_knows() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || chan.send_timeout(1, LONG).is_ok());
        let (_wakes, waker) = WakeCounter::new();
        let ready = poll(&mut port, &waker).is_ready();
        let received = port.try_recv();
        assert!(!ready || received == Ok(1) || received.is_err_and(|error| error.is_closed()));
        assert_eq!(sender.join().unwrap(), received.is_ok());
    });
}

#[test]
fn dropped_future_against_blocking() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            let (_wakes, waker) = WakeCounter::new();
            let _ = pin!(chan.send_async(1)).poll(&mut Context::from_waker(&waker));
            assert!(chan.send(2).is_ok());
        });
        let first = port.recv().expect("at least one comes");
        assert!(first == 2 || port.recv() == Ok(2));
        sender.join().unwrap();
    });
}

#[test]
fn dropped_future_against_task() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            let (_wakes, waker) = WakeCounter::new();
            let _ = pin!(chan.send_async(1)).poll(&mut Context::from_waker(&waker));
        });
        let first = loom::future::block_on(port.recv_async());
        assert!(first.is_err() || first == Ok(1));
        sender.join().unwrap();
    });
}
