//! A thread looks at what another one waits for, while that one falls asleep, is woken, and goes on.
//!
//! The model reports a look that overlaps with the time before the sleep or after it, when the description of
//! the wait may change. What the waiting thread receives must not depend on the look.

use loom::thread;
use pipes::__private::{end_sleeps, sleeps, track_sleeps};
use pipes::{PortSet, oneshot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_receive() {
    track_sleeps();
    loom::model(|| {
        let (chan, port) = oneshot();
        let receiver = thread::spawn(move || port.recv());
        let looker = thread::spawn(|| assert!(matches!(sleeps()[..], [] | [1])));
        chan.send(7).expect("it is waited for");
        looker.join().unwrap();
        assert_eq!(receiver.join().unwrap(), Ok(7));
    });
}

/// The members of the set are listed while its owner sleeps. Afterwards the owner changes them.
#[test]
fn a_set() {
    track_sleeps();
    loom::model(|| {
        let (chan, port) = oneshot::<u8>();
        let receiver = thread::spawn(move || {
            let mut set = PortSet::from_iter([port]);
            assert!(set.recv().is_ok());
            drop(set);
        });
        assert!(matches!(sleeps()[..], [] | [1]));
        chan.send(7).expect("it is waited for");
        receiver.join().unwrap();
        assert_eq!(sleeps(), [0; 0]);
    });
}

/// A sleep is ended, for a test, while the message comes. The receive returns it, or panics with the text of
/// the one that ended it. Both happen.
#[test]
fn a_sleep_that_is_ended() {
    track_sleeps();
    static RECEIVED: AtomicUsize = AtomicUsize::new(0);
    static PANICKED: AtomicUsize = AtomicUsize::new(0);
    loom::model(|| {
        let (chan, port) = oneshot();
        let receiver = thread::spawn(move || catch_unwind(AssertUnwindSafe(|| port.recv())));
        let ended = thread::spawn(|| end_sleeps("ended"));
        let sent = chan.send(7);
        ended.join().unwrap();
        let count = match receiver.join().unwrap() {
            Ok(received) => {
                assert_eq!((received, sent), (Ok(7), Ok(())));
                &RECEIVED
            }
            Err(panic) => {
                assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("ended"));
                &PANICKED
            }
        };
        count.fetch_add(1, Ordering::Relaxed);
    });
    assert!(RECEIVED.load(Ordering::Relaxed) > 0 && PANICKED.load(Ordering::Relaxed) > 0);
}
