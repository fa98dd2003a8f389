//! A receiver that waits is polled spuriously while the last message arrives. It must not free the pipe while
//! the sender is still taking the waiter out of its cell.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::oneshot;

#[test]
fn oneshot_value() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = oneshot();
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        match port.try_recv() {
            Ok(payload) => drop(payload),
            Err(pipes::TryRecvError::Empty(port)) => drop(port.recv().expect("something was sent")),
            Err(pipes::TryRecvError::Closed) => panic!("no side has closed"),
        }
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn close() {
    loom::model(|| {
        let (chan, mut port) = oneshot::<()>();
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || drop(chan));
        if let Err(pipes::TryRecvError::Empty(port)) = port.try_recv() {
            assert!(port.recv().is_err());
        }
        sender.join().unwrap();
    });
}
