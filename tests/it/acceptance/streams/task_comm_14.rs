//! Ports that are added to a set.
//!
//! `run-pass/task-comm-14.rs`, Rust 0.5. A set's `messages` skips closes; its `recv` reports them.

use crate::acceptance::Sleeper;
use pipes::{Closed, PortSet, stream};
use pipes_tests::watched;

#[test]
fn ten_children_with_a_number_each() {
    watched(|| {
        let mut set = PortSet::new();
        let mut children = Vec::new();
        for number in 0..10 {
            let (mut chan, port) = stream();
            set.insert(port);
            children.push(Sleeper::spawn(move || chan.send(number).expect("the set is there")));
        }
        let mut numbers: Vec<u64> = set.messages().collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..10).collect::<Vec<_>>());
        children.into_iter().for_each(|child| child.join().expect("the child ends"));
    });
}

#[test]
fn a_port_with_messages_delivers_them() {
    let mut set = PortSet::new();
    let (mut chan, port) = stream();
    (0..3).for_each(|number| chan.send(number).expect("the port is here"));
    set.insert(port);
    assert_eq!(set.messages().take(3).collect::<Vec<_>>(), [0, 1, 2]);
    chan.send(3).expect("the set is here");
    assert_eq!(set.messages().next(), Some(3));
}

#[test]
fn a_closed_port_is_passed_over() {
    let mut set = PortSet::new();
    let (chan, port) = stream::<u64>();
    drop(chan);
    let closed = set.insert(port);
    let mut chan = set.chan();
    chan.send(5).expect("the set is here");
    assert_eq!(set.messages().next(), Some(5));
    assert!(!set.contains_key(&closed) && set.len() == 1);

    // Its `recv` reports each close once.
    let (_, port) = stream();
    let closed = set.insert(port);
    assert_eq!(set.recv(), Ok((closed, Err(Closed))));
    assert_eq!(set.len(), 1);
}
