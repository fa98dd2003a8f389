//! Sixteen senders of four numbers each, into one set.
//!
//! `run-pass/task-comm-3.rs`, Rust 0.5. The results of the threads stand in for its exit notifications.

use crate::acceptance::Sleeper;
use pipes::{PortSet, SetEmpty};
use pipes_tests::watched;

#[test]
fn nothing_is_lost_and_nothing_doubled() {
    watched(|| {
        let mut set = PortSet::new();
        let send = |sender: usize| {
            let mut chan = set.chan();
            Sleeper::spawn(move || (0..4).for_each(|_| chan.send(sender).expect("the set is there")))
        };
        let senders: Vec<_> = (0..16).map(send).collect();
        // Half of them have ended before the first receive.
        let mut senders = senders.into_iter();
        senders.by_ref().take(8).for_each(|sender| sender.join().expect("no sender panics"));
        let numbers: Vec<_> = set.messages().collect();
        assert_eq!((numbers.len(), numbers.iter().sum::<usize>()), (64, 480));
        assert_eq!(set.recv(), Err(SetEmpty));
        senders.for_each(|sender| sender.join().expect("no sender panics"));
    });
}
