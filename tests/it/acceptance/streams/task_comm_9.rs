//! A set of one, and a child's exit.
//!
//! `run-pass/task-comm-9.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::PortSet;
use pipes_tests::watched;

#[test]
fn ten_messages_and_a_join() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chan = set.chan();
        let child = Sleeper::spawn(move || {
            (0..10_u64).for_each(|number| chan.send(number).expect("the set is there"))
        });
        let numbers = (0..10).map(|_| set.recv().expect("there is a member").1.expect("it has not closed"));
        assert_eq!(numbers.sum::<u64>(), 45);
        child.join().expect("the child ends");
    });
}
