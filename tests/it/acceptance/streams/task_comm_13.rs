//! Messages to a port that is never read.
//!
//! `run-pass/task-comm-13.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::stream;
use pipes_tests::{Tally, watched};

#[test]
fn the_sender_is_joined() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let numbered = tally.clone();
        let child = Sleeper::spawn(move || {
            (0..10).for_each(|number| assert!(chan.send(numbered.make(number)).is_ok()));
        });
        child.join().expect("sending does not wait");
        assert_eq!((tally.made(), tally.gone()), (10, 0));
        drop(port);
        tally.assert_all_gone();
    });
}
