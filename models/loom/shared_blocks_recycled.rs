//! A shared stream is long enough for blocks to be emptied, put on the block cache and used again.

use crate::support::{assert_only, payload};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use pipes::shared_stream;

/// A block has two slots. The first block is used up and emptied, and comes back as the third.
///
/// The sender waits for a flag with relaxed ordering, so it comes after the receiver without being
/// synchronized with it.
#[test]
fn a_block_comes_round() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..4 {
            chan.send(sent.clone()).expect("the port is there");
        }
        drop(port.try_recv().expect("it was sent"));
        let left = Arc::new(AtomicBool::new(false));
        let flag = left.clone();
        let receiver = thread::spawn(move || {
            for _ in 0..2 {
                drop(port.try_recv().expect("it was sent"));
            }
            flag.store(true, Ordering::Relaxed);
            port
        });
        while !left.load(Ordering::Relaxed) {
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

/// The receiver follows the sender closely over the ends of two blocks.
#[test]
fn over_the_edges() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        chan.send(sent.clone()).expect("the port is there");
        chan.send(sent.clone()).expect("the port is there");
        let sender = thread::spawn(move || {
            for _ in 0..3 {
                chan.send(sent.clone()).expect("the port is there");
            }
        });
        let mut came = 0;
        for _ in 0..5 {
            came += usize::from(port.try_recv().is_ok());
        }
        sender.join().unwrap();
        assert_eq!(came + port.iter().count(), 5);
        assert_only(&count);
    });
}

/// A sender whose slot was skipped comes back before or after the receiver has moved on from the sender's
/// block, which is to be used again.
#[test]
fn a_block_waits_for_who_was_passed_there() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        let (other, others) = (chan.clone(), sent.clone());
        let second = thread::spawn(move || other.send(others).expect("the port is there"));
        for _ in 0..3 {
            chan.send(sent.clone()).expect("the port is there");
        }
        for _ in 0..3 {
            drop(port.try_recv().expect("three were sent"));
        }
        for _ in 0..3 {
            chan.send(sent.clone()).expect("the port is there");
            drop(port.try_recv().expect("one more was sent"));
        }
        drop((chan, sent));
        second.join().unwrap();
        assert_eq!(port.iter().count(), 1);
        assert_only(&count);
    });
}
