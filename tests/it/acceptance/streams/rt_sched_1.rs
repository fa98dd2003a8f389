//! A message from one system thread to another.
//!
//! `run-pass/rt-sched-1.rs`, Rust 0.5, in which the second task had a scheduler of its own.

use crate::acceptance::Sleeper;
use pipes::stream;
use pipes_tests::watched;

#[test]
fn the_ids_differ() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let child = Sleeper::spawn(move || chan.send(std::thread::current().id()).is_ok());
        let id = port.recv().expect("the child sends it");
        assert_ne!(id, std::thread::current().id());
        assert!(child.join().expect("the child ends"));
    });
}
