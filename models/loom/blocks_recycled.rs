//! A stream is long enough for blocks to be linked, emptied, handed back and used again.

use crate::support::{assert_only, payload};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use pipes::stream;

/// A block has two slots. The pipe's own block is used up, and the next one is filled, emptied, handed back
/// and linked again.
///
/// The sender waits for a flag with relaxed ordering, so it comes after the receiver without being
/// synchronized with it.
#[test]
fn a_block_comes_round() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        for _ in 0..5 {
            chan.send(sent.clone()).expect("the port is there");
        }
        for _ in 0..2 {
            drop(port.try_recv().expect("it was sent"));
        }
        let handed_back = Arc::new(AtomicBool::new(false));
        let flag = handed_back.clone();
        let receiver = thread::spawn(move || {
            for _ in 0..2 {
                drop(port.try_recv().expect("it was sent"));
            }
            flag.store(true, Ordering::Relaxed);
            port
        });
        while !handed_back.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        for _ in 0..3 {
            chan.send(sent.clone()).expect("the port is there");
        }
        drop((sent, chan));
        let mut port = receiver.join().unwrap();
        assert_eq!(port.iter().count(), 4);
        assert_only(&count);
    });
}

/// The receiver follows the sender into the next block.
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
