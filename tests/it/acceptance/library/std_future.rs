//! Values that are computed later.
//!
//! The tests of `std::future`, Rust 0.5: `test_from_value`, `test_from_port`, `test_from_fn`,
//! `test_interface_get`, `test_get_ref`, `test_spawn`, `test_futurefail` and `test_sendable_future`. A future
//! there is an `Eventual` here; `get` gives a reference, and an error where the original failed.

use crate::acceptance::{Sleeper, die};
use pipes::{Eventual, RecvError, oneshot};
use pipes_tests::{Tally, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn from_a_value() {
    let mut value = Eventual::from_value("snail".to_owned());
    assert!(value.is_ready());
    assert_eq!(value.get().map(String::as_str), Ok("snail"));
    assert_eq!(value.into_inner().as_deref(), Ok("snail"));
}

#[test]
fn from_a_port() {
    watched(|| {
        let (chan, port) = oneshot();
        let mut value = Eventual::from_port(port);
        assert!(!value.is_ready());
        let getting = Sleeper::spawn(move || {
            assert_eq!(value.get(), Ok(&"whale"));
            // The value is kept: a second `get` does not wait.
            assert_eq!(value.get(), Ok(&"whale"));
            value
        });
        getting.fall_asleep();
        chan.send("whale").expect("it waits for it");
        assert_eq!(getting.join().expect("it does not panic").into_inner(), Ok("whale"));
    });
}

/// The port's sender leaves without a message.
#[test]
fn from_a_port_that_closes() {
    let (chan, port) = oneshot::<u64>();
    let mut value = Eventual::from_port(port);
    drop(chan);
    for _ in 0..3 {
        assert_eq!(value.get(), Err(RecvError));
    }
    assert_eq!(value.into_inner(), Err(RecvError));
}

#[test]
fn from_a_function() {
    watched(|| {
        let calls = Arc::new(AtomicUsize::new(0));
        let counting = calls.clone();
        let mut value = Eventual::lazy(move || {
            counting.fetch_add(1, Ordering::Relaxed);
            std::thread::current().id()
        });
        assert_eq!(calls.load(Ordering::Relaxed), 0, "nobody has asked");
        let here = std::thread::current().id();
        for _ in 0..3 {
            assert_eq!(value.get(), Ok(&here), "in the thread of who asks");
        }
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_function_that_nobody_asks_for() {
    let tally = Tally::new();
    let owned = tally.make(1);
    drop(Eventual::lazy(move || owned));
    tally.assert_all_gone();
}

#[test]
fn spawned() {
    watched(|| {
        let here = std::thread::current().id();
        let mut value = Eventual::spawn(|| (std::thread::current().id(), "bale"));
        let (there, word) = *value.get().expect("it does not panic");
        assert_eq!(word, "bale");
        assert_ne!(here, there);
    });
}

#[test]
fn a_producer_that_dies() {
    watched(|| {
        let mut value = Eventual::<u64>::spawn(|| die());
        assert_eq!(value.get(), Err(RecvError));
        assert_eq!(value.get(), Err(RecvError));
    });
}

/// Made in one thread, read in another.
#[test]
fn sent_to_another_thread() {
    watched(|| {
        let (chan, port) = oneshot();
        let values =
            [Eventual::from_value("schlorf"), Eventual::lazy(|| "schlorf"), Eventual::from_port(port)];
        chan.send("schlorf").expect("the port is in the list");
        let reading = Sleeper::spawn(move || values.map(|value| value.into_inner()));
        assert_eq!(reading.join().expect("it does not panic"), [Ok("schlorf"); 3]);
    });
}
