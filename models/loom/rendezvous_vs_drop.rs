//! With capacity 0, one side leaves while the other waits for it or gives up waiting.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::future::block_on;
use loom::thread;
use pipes::sync_stream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1);

#[test]
fn port_leaves_a_thread_that_offers() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = sync_stream(0);
        let receiver = thread::spawn(move || drop(port));
        let back = chan.send(sent).expect_err("no receiver takes it").into_payload();
        assert_eq!(loom::sync::Arc::strong_count(&count), 2);
        drop(back);
        assert!(chan.is_closed());
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// The port registers for a message, which promises the sender a receiver, and then leaves.
#[test]
fn port_leaves_after_a_promise() {
    for patient in [true, false] {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut chan, mut port) = sync_stream(0);
            let receiver = thread::spawn(move || {
                let (_wakes, waker) = WakeCounter::new();
                let _ = poll(&mut port, &waker);
                drop(port);
            });
            if patient {
                drop(chan.send(sent).expect_err("no receiver takes it").into_payload());
            } else {
                drop(chan.send_timeout(sent, LONG));
            }
            drop(chan);
            receiver.join().unwrap();
            assert_only(&count);
        });
    }
}

#[test]
fn port_leaves_a_task_that_offers() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let receiver = thread::spawn(move || {
            let taken = port.try_recv().is_ok();
            drop(port);
            taken
        });
        let sent = block_on(chan.send_async(sent)).is_ok();
        assert_eq!(receiver.join().unwrap(), sent);
        drop(chan);
        assert_only(&count);
    });
}

#[test]
fn port_leaves_while_a_message_is_handed_over() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let receiver = thread::spawn(move || {
            let (_wakes, waker) = WakeCounter::new();
            let _ = poll(&mut port, &waker);
            drop(port);
        });
        drop(chan.try_send(sent));
        drop(chan);
        receiver.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn chan_leaves_a_port_that_waits() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            let sent = chan.send_timeout(sent, LONG).is_ok();
            drop(chan);
            sent
        });
        let received = port.recv();
        assert_eq!(sender.join().unwrap(), received.is_ok());
        drop(received);
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}
