//! At one slot, the receiver waits for a message and the sender watches for the receiver to leave. Each adds
//! its mark to the word and removes it while the other one does the same. Then one of them leaves.

use crate::support::WakeCounter;
use loom::thread;
use pipes::{RecvTimeoutError, oneshot};
use std::task::Context;
use std::time::Duration;

#[test]
fn then_the_sender_leaves() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let (wakes, waker) = WakeCounter::new();
        let receiver = thread::spawn(move || assert!(port.recv().is_err()));
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        drop(chan);
        receiver.join().unwrap();
        assert_eq!(wakes.count(), 0, "it was not the receiver that left first");
    });
}

#[test]
fn then_the_receiver_leaves() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let receiver = thread::spawn(move || {
            let Err(RecvTimeoutError::Timeout(port)) = port.recv_timeout(Duration::from_secs(1)) else {
                panic!("nothing is sent, and the chan is there")
            };
            drop(port);
        });
        chan.wait_closed();
        drop(chan);
        receiver.join().unwrap();
    });
}

#[test]
fn then_the_sender_gives_up_and_leaves() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let receiver = thread::spawn(move || match port.recv_timeout(Duration::from_secs(1)) {
            Err(RecvTimeoutError::Timeout(port)) => drop(port),
            Err(RecvTimeoutError::Closed) => {}
            Ok(()) => panic!("nothing is sent"),
        });
        if chan.wait_closed_timeout(Duration::from_secs(1)) {
            assert!(chan.is_closed());
        }
        drop(chan);
        receiver.join().unwrap();
    });
}
