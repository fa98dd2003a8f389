//! A child that has ended before it is joined.
//!
//! `run-pass/task-comm-12.rs` and `task-comm-17.rs`, Rust 0.5, in which pipes occur only as the means to
//! report a task's end.

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
