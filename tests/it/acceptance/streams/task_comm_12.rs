//! A child that has ended before anybody asks.
//!
//! `run-pass/task-comm-12.rs` and `task-comm-17.rs`, Rust 0.5, which have to do with pipes only in that a task's end was told
//! through one.

use crate::acceptance::Sleeper;
use pipes::oneshot;
use pipes_tests::watched;

#[test]
fn its_end_is_still_there_to_be_received() {
    watched(|| {
        let (ended, end) = oneshot();
        Sleeper::spawn(move || ended.send("ended").expect("the parent will ask")).join().expect("it ends");
        assert_eq!(end.recv(), Ok("ended"));
    });
}
