//! A chan that is passed down the generations.
//!
//! `bench/task-perf-jargon-metal-smoke.rs`, Rust 0.5. The last of them says a word; the time is nobody's business here.

use pipes::{ChanOne, oneshot};
use pipes_tests::watched;
use std::thread;

/// Each generation makes the next one, and ends.
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
