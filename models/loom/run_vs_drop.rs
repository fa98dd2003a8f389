//! Several messages are sent in one step while the port is dropped. Those that were not sent are still in the
//! vector, and none is dropped twice.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::{shared_stream, stream};

#[test]
fn two_runs() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let receiver = thread::spawn(move || drop(port));
        let mut values = vec![sent.clone(), sent.clone(), sent];
        let is_sent = chan.send_all(&mut values).is_ok();
        assert_eq!(is_sent, values.is_empty(), "what was not sent is left");
        receiver.join().unwrap();
        assert!(chan.send_all(&mut vec![values.pop().unwrap_or_else(|| count.clone())]).is_err());
        drop((values, chan));
        assert_only(&count);
    });
}

/// The port receives a part of a run before it leaves.
#[test]
fn a_run_that_is_partly_received() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        let receiver = thread::spawn(move || {
            if port.recv_many(&mut Vec::new(), 1).is_ok() {
                drop(port);
            }
        });
        let mut values = vec![sent.clone(), sent.clone(), sent];
        let _closed = chan.send_all(&mut values);
        drop((values, chan));
        receiver.join().unwrap();
        assert_only(&count);
    });
}

/// The sender is suspended between its messages, which belong to no run in a shared stream.
#[test]
fn into_a_shared_stream() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, port) = shared_stream();
        let receiver = thread::spawn(move || drop(port));
        let mut values = vec![sent.clone(), sent];
        assert_eq!(chan.send_all(&mut values).is_ok(), values.is_empty());
        receiver.join().unwrap();
        drop((values, chan));
        assert_only(&count);
    });
}
