//! A sender gives up waiting for room while the port receives. It has either sent its message or gets it
//! back.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::sync_stream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1);

#[test]
fn timeout_then_blocking() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(0).is_ok());
        let receiver = thread::spawn(move || {
            assert_eq!(port.try_recv(), Ok(0));
            port
        });
        let late = chan.send_timeout(1, LONG).is_err();
        if late {
            assert!(chan.send(2).is_ok());
        }
        let mut port = receiver.join().unwrap();
        assert_eq!(port.try_recv(), Ok(if late { 2 } else { 1 }));
    });
}

#[test]
fn timeout_then_drop() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(sent.clone()).is_ok());
        let receiver = thread::spawn(move || {
            drop(port.try_recv());
            drop(port);
        });
        drop(chan.send_timeout(sent, LONG));
        drop(chan);
        receiver.join().unwrap();
        assert_only(&count);
    });
}
