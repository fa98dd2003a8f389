//! Several messages are sent in one step into a bounded stream, or received in one step from it, while the
//! other side goes on.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::future::block_on;
use loom::thread;
use pipes::{TryRecvError, TrySendError, sync_stream};

#[test]
fn runs_both_ways() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(2);
        let sender = thread::spawn(move || {
            chan.send_all(&mut vec![0, 1, 2, 3]).expect("the port is there");
        });
        let mut values = Vec::new();
        while port.recv_many(&mut values, 2).is_ok() {}
        assert_eq!(values, [0, 1, 2, 3]);
        sender.join().unwrap();
    });
}

#[test]
fn runs_against_single_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(2);
        let sender = thread::spawn(move || {
            chan.send_all(&mut vec![sent.clone(), sent.clone(), sent]).expect("the port is there");
        });
        for _ in 0..3 {
            drop(port.recv().expect("three were sent"));
        }
        sender.join().unwrap();
        assert_only(&count);
    });
}

/// A sender that does not wait looks ahead while the receiver makes room, and never overtakes it.
#[test]
fn single_sends_against_runs() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(3);
        for number in 0..3 {
            assert!(chan.try_send(number).is_ok());
        }
        let receiver = thread::spawn(move || {
            let mut values = Vec::new();
            while values.len() < 3 {
                port.recv_many(&mut values, 3).expect("three were sent");
            }
            (port, values)
        });
        let mut rest = vec![3, 4, 5];
        let mut outcome = chan.try_send_all(&mut rest);
        if outcome.is_err() {
            outcome = chan.try_send_all(&mut rest);
        }
        assert_eq!(outcome == Err(TrySendError::Full(())), !rest.is_empty());
        drop(chan);
        let (port, mut values) = receiver.join().unwrap();
        values.extend(port);
        values.extend(rest);
        assert_eq!(values, [0, 1, 2, 3, 4, 5]);
    });
}

/// The sender waits for room in a full stream, and a run makes room for several messages.
#[test]
fn task_waits_for_room() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(2);
        assert!(chan.try_send_all(&mut vec![0, 1]).is_ok());
        let sender = thread::spawn(move || {
            assert!(block_on(chan.send_all_async(&mut vec![2, 3])).is_ok());
        });
        let mut values = Vec::new();
        assert_eq!(port.recv_many(&mut values, 2), Ok(2));
        while values.len() < 4 {
            port.recv_many(&mut values, 2).expect("four were sent");
        }
        assert_eq!(values, [0, 1, 2, 3]);
        sender.join().unwrap();
    });
}

/// Each side registers while the other may still be reading its waiter from the step before.
#[test]
fn polls_against_runs() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(2);
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || {
            assert!(chan.try_send_all(&mut vec![0, 1]).is_ok());
            let mut rest = vec![2, 3];
            assert!(matches!(chan.try_send_all(&mut rest), Ok(()) | Err(TrySendError::Full(()))));
            rest.len()
        });
        let mut values = Vec::new();
        for _ in 0..2 {
            let (_wakes, waker) = WakeCounter::new();
            if port.try_recv_many(&mut values, 2) == Err(TryRecvError::Empty(())) {
                let _pending = poll(&mut port, &waker);
            }
        }
        let left = sender.join().unwrap();
        while port.recv_many(&mut values, 2).is_ok() {}
        assert_eq!(values, Vec::from_iter(0..4 - left));
    });
}
