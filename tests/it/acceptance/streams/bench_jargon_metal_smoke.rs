//! A chan that is passed down the generations.
//!
//! `bench/task-perf-jargon-metal-smoke.rs`, Rust 0.5. The last generation sends a message; the time is not
//! measured here.

use pipes::{ChanOne, oneshot};
use pipes_tests::watched;
use std::thread;

/// Each generation spawns the next one, and ends.
fn child_generation(left: u32, chan: ChanOne<()>) {
    thread::spawn(move || match left {
        0 => chan.send(()).expect("the first one waits"),
        _ => child_generation(left - 1, chan),
    });
}

#[test]
fn the_last_one_is_heard() {
    watched(|| {
        for generations in [0, 1, 500] {
            let (chan, port) = oneshot();
            child_generation(generations, chan);
            assert_eq!(port.recv(), Ok(()));
        }
    });
}
