//! If the receiver of a stream keeps up, the sender goes back to the first slot of its block instead of
//! linking another block. Both sides must agree on when this happens, and the sender must not overwrite
//! messages that have not been received yet.

use crate::support::{WakeCounter, poll};
use loom::thread;
use pipes::stream;

/// A block has two slots. The receiver waits at the last slot of the first block, or comes late. The sender
/// goes on either way.
#[test]
fn sender_runs_ahead_of_a_receiver_that_waited() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        chan.send(0).expect("the port is there");
        assert_eq!(port.try_recv(), Ok(0));
        let sender = thread::spawn(move || {
            for number in 1..=3 {
                chan.send(number).expect("the port is there");
            }
        });
        for number in 1..=3 {
            assert_eq!(port.recv(), Ok(number));
        }
        sender.join().unwrap();
        assert!(port.recv().is_err());
    });
}

/// The two sides run in lock-step: the receiver registers before each message is sent. DeferredWakes, the
/// sender runs in another thread.
#[test]
fn lock_step_goes_round() {
    loom::model(|| {
        let (mut chan, mut port) = stream();
        let (_, waker) = WakeCounter::new();
        for number in 0..3 {
            assert!(poll(&mut port, &waker).is_pending());
            chan.send(number).expect("the port is there");
            assert_eq!(port.try_recv(), Ok(number));
        }
        assert!(poll(&mut port, &waker).is_pending());
        let sender = thread::spawn(move || {
            for number in 3..6 {
                chan.send(number).expect("the port is there");
            }
        });
        for number in 3..6 {
            assert_eq!(port.recv(), Ok(number));
        }
        sender.join().unwrap();
    });
}
