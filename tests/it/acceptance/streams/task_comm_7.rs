//! Four senders of ten numbers each, from four ranges.
//!
//! `run-pass/task-comm-7.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::{PortSet, SetEmpty};
use pipes_tests::watched;

#[test]
fn each_sender_is_heard_in_its_order() {
    watched(|| {
        let mut set = PortSet::new();
        let send = |sender: usize| {
            let mut chan = set.chan();
            Sleeper::spawn(move || {
                (sender * 10..).take(10).for_each(|number| chan.send(number).expect("the set is there"));
            })
        };
        let senders: Vec<_> = (0..4).map(send).collect();
        let mut heard = [const { Vec::new() }; 4];
        set.messages().for_each(|number| heard[number / 10].push(number));
        for (sender, heard) in heard.iter().enumerate() {
            assert_eq!(*heard, (sender * 10..).take(10).collect::<Vec<_>>());
        }
        assert_eq!(heard.iter().flatten().sum::<usize>(), 780);
        assert_eq!(set.recv(), Err(SetEmpty));
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}
