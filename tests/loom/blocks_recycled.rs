//! A stream long enough that blocks are linked, emptied, handed back and used again.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::stream;

/// Two slots a block: the first block is filled and emptied, goes back, and is linked again.
#[test]
fn a_block_comes_round() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || {
            drop(port.try_recv().expect("the first is there"));
            drop(port.try_recv().expect("the second is there"));
            port
        });
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent).expect("the port is there");
        let mut port = receiver.join().unwrap();
        drop(chan);
        assert_eq!(port.iter().count(), 4);
        assert_only(&count);
    });
}

/// The receiver follows the sender over the edge of a block.
#[test]
fn over_the_edge() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || {
            chan.send(sent.clone()).expect("the port is there");
            chan.send(sent).expect("the port is there");
        });
        for _ in 0..3 {
            drop(port.recv().expect("three were sent"));
        }
        sender.join().unwrap();
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}
