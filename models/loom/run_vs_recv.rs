//! Several messages are sent in one step while the port receives. A block has two slots, so a run of two
//! fills it and leads to the next one.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::{TryRecvError, stream};

#[test]
fn thread_receives_one_by_one() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        let sender = thread::spawn(move || {
            let mut values = vec![sent.clone(), sent.clone(), sent];
            chan.send_all(&mut values).expect("the port is there");
            assert!(values.is_empty());
        });
        for _ in 0..3 {
            drop(port.recv().expect("three were sent"));
        }
        sender.join().unwrap();
        assert!(port.recv().is_err());
        assert_only(&count);
    });
}

#[test]
fn thread_receives_many() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        let sender = thread::spawn(move || {
            chan.send_all(&mut vec![0, 1]).expect("the port is there");
            chan.send_all(&mut vec![2, 3]).expect("the port is there");
        });
        let mut values = Vec::new();
        while port.recv_many(&mut values, 3).is_ok() {}
        assert_eq!(values, [0, 1, 2, 3]);
        sender.join().unwrap();
    });
}

/// The receiver is registered when the first run comes, and registers again, in its other cell, while a
/// sender may still be reading the first.
#[test]
fn polls_against_runs() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || {
            chan.send_all(&mut vec![0, 1]).expect("the port is there");
            chan.send(2).expect("the port is there");
        });
        let mut values = Vec::new();
        for _ in 0..2 {
            if port.try_recv_many(&mut values, 8) == Err(TryRecvError::Empty(())) {
                let _pending = poll(&mut port, &waker);
            }
        }
        sender.join().unwrap();
        assert!(wakes.count() > 0, "the first run has found the waker");
        while port.recv_many(&mut values, 8).is_ok() {}
        assert_eq!(values, [0, 1, 2]);
    });
}

/// A receiver that waits at the last slot makes both sides stay in their block. A run that follows begins
/// there, and ends before the last slot if that slot is still full.
#[test]
fn a_run_after_both_sides_went_back() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        chan.send(0).expect("the port is there");
        assert_eq!(port.try_recv(), Ok(0));
        let sender = thread::spawn(move || {
            chan.send(1).expect("the port is there");
            chan.send_all(&mut vec![2, 3, 4]).expect("the port is there");
        });
        for number in 1..=4 {
            assert_eq!(port.recv(), Ok(number));
        }
        sender.join().unwrap();
        assert!(port.recv().is_err());
    });
}

/// A run is sent into a block that was emptied by runs and handed back. The sender comes after the receiver
/// without being synchronized with it in any other way.
#[test]
fn a_block_comes_round() {
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicBool, Ordering};
    loom::model(|| {
        let (sent, count) = payload();
        let run = |length| vec![sent.clone(); length];
        let (mut chan, mut port) = stream();
        chan.send_all(&mut run(5)).expect("the port is there");
        assert_eq!(port.try_recv_many(&mut Vec::new(), 2), Ok(2));
        let handed_back = Arc::new(AtomicBool::new(false));
        let flag = handed_back.clone();
        let receiver = thread::spawn(move || {
            assert_eq!(port.try_recv_many(&mut Vec::new(), 2), Ok(2));
            flag.store(true, Ordering::Relaxed);
            port
        });
        while !handed_back.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        chan.send_all(&mut run(3)).expect("the port is there");
        drop((sent, chan));
        let mut port = receiver.join().unwrap();
        assert_eq!(port.iter().count(), 4);
        assert_only(&count);
    });
}

/// A payload in blocks of four slots.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(16))]
struct Wide(usize);

/// The receiver waits at the last slot of the first block, so both sides go back to the first slot while the
/// last one is still full. The run that follows ends before the last slot, and leads to the next block.
#[test]
fn a_run_that_ends_before_the_last_slot() {
    for length in [2, 3, 4] {
        loom::model(move || {
            let (mut chan, mut port) = stream();
            chan.send_all(&mut (0..3).map(Wide).collect()).expect("the port is there");
            assert_eq!(port.try_recv_many(&mut Vec::new(), 3), Ok(3));
            let (_wakes, waker) = WakeCounter::new();
            assert!(poll(&mut port, &waker).is_pending());
            let sender = thread::spawn(move || {
                chan.send(Wide(3)).expect("the port is there");
                chan.send_all(&mut (4..4 + length).map(Wide).collect()).expect("the port is there");
            });
            let mut values = Vec::new();
            while values.len() < 1 + length {
                port.recv_many(&mut values, 4).expect("they were sent");
            }
            assert_eq!(values, Vec::from_iter((3..4 + length).map(Wide)));
            sender.join().unwrap();
        });
    }
}

/// Such a run is sent while the port leaves.
#[test]
fn a_run_that_ends_before_the_last_slot_is_not_received() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        chan.send_all(&mut (0..3).map(Wide).collect()).expect("the port is there");
        assert_eq!(port.try_recv_many(&mut Vec::new(), 3), Ok(3));
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        chan.send(Wide(3)).expect("the port is there");
        let receiver = thread::spawn(move || drop(port));
        let mut values = (4..9).map(Wide).collect();
        let is_sent = chan.send_all(&mut values).is_ok();
        receiver.join().unwrap();
        assert_eq!(is_sent, values.is_empty());
        assert_eq!(values, Vec::from_iter((9 - values.len()..9).map(Wide)));
    });
}
