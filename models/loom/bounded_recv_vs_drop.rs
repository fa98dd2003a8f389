//! The sender of a bounded stream leaves while the port receives. The port gets all messages before it finds
//! the close, even if the sender left at a full slot.

use crate::support::{assert_only, payload};
use loom::cell::UnsafeCell;
use loom::future::block_on;
use loom::sync::Arc;
use loom::thread;
use pipes::sync_stream;

#[test]
fn thread_waits() {
    loom::model(|| {
        let (chan, mut port) = sync_stream::<()>(1);
        let sender = thread::spawn(move || drop(chan));
        assert!(port.recv().is_err());
        assert!(port.recv().is_err());
        sender.join().unwrap();
    });
}

#[test]
fn task_waits() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(2);
        let sender = thread::spawn(move || {
            assert!(chan.try_send(1).is_ok());
        });
        assert_eq!(block_on(port.recv_async()), Ok(1));
        assert!(block_on(port.recv_async()).is_err());
        sender.join().unwrap();
    });
}

#[test]
fn sender_leaves_a_full_stream() {
    for capacity in [1, 2] {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut chan, mut port) = sync_stream(capacity);
            for _ in 0..capacity {
                assert!(chan.try_send(sent.clone()).is_ok());
            }
            drop(sent);
            let sender = thread::spawn(move || drop(chan));
            for _ in 0..capacity {
                drop(port.recv().expect("what was sent comes first"));
            }
            assert!(port.recv().is_err());
            sender.join().unwrap();
            assert_only(&count);
        });
    }
}

/// A receiver that learns that the sender has left sees what the sender did before.
#[test]
fn what_came_before_the_close() {
    loom::model(|| {
        let (chan, mut port) = sync_stream::<()>(1);
        let cell = Arc::new(UnsafeCell::new(0));
        let written = cell.clone();
        let sender = thread::spawn(move || {
            written.with_mut(std::hint::black_box);
            drop(chan);
        });
        assert!(port.recv().is_err());
        cell.with(std::hint::black_box);
        sender.join().unwrap();
    });
}
