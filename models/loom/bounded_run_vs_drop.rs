//! Several messages are sent in one step into a bounded stream, or received in one step from it, while the
//! other side is dropped.

use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::sync_stream;
use std::future::Future;
use std::pin::pin;
use std::task::Context;

#[test]
fn runs_against_a_port_that_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        let receiver = thread::spawn(move || {
            let _closed = port.recv_many(&mut Vec::new(), 2);
        });
        let mut values = vec![sent.clone(), sent.clone(), sent.clone(), sent];
        let is_sent = chan.send_all(&mut values).is_ok();
        assert_eq!(is_sent, values.is_empty(), "what was not sent is left");
        drop((values, chan));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn runs_against_a_chan_that_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        let run = vec![sent.clone(), sent];
        assert!(chan.try_send_all(&mut { run }).is_ok());
        let sender = thread::spawn(move || drop(chan));
        let mut values = Vec::new();
        while port.recv_many(&mut values, 2).is_ok() {}
        assert_eq!(values.len(), 2);
        sender.join().unwrap();
        drop(values);
        assert_only(&count);
    });
}

/// A future that sends several messages is dropped. Those that it has not sent are in the vector again.
#[test]
fn dropped_future_against_receive() {
    for capacity in [0, 2] {
        loom::model(move || {
            let (mut chan, mut port) = sync_stream(capacity);
            let receiver = thread::spawn(move || {
                let mut values = Vec::new();
                let _nothing = port.try_recv_many(&mut values, 2);
                (port, values)
            });
            let (_wakes, waker) = WakeCounter::new();
            let mut rest = vec![0, 1, 2];
            let is_ready = {
                let mut sending = pin!(chan.send_all_async(&mut rest));
                let mut is_ready = false;
                for _ in 0..2 {
                    is_ready |= sending.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
                }
                is_ready
            };
            drop(chan);
            let (port, mut values) = receiver.join().unwrap();
            assert_eq!(is_ready, rest.is_empty());
            values.extend(port);
            values.extend(rest);
            assert_eq!(values, [0, 1, 2], "each is received or left, in order");
        });
    }
}
