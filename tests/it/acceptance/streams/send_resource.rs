//! A value with a destructor, sent to the thread that asked for it.
//!
//! `run-pass/send-resource.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::{Chan, stream};
use pipes_tests::{Counted, Tally, watched};

#[test]
fn it_is_destroyed_once_and_by_its_receiver() {
    watched(|| {
        let tally = Tally::new();
        let (mut handing, mut handed) = stream::<Chan<Counted>>();
        let child = Sleeper::spawn(move || {
            let (chan, mut port) = stream();
            handing.send(chan).expect("the parent listens");
            port.recv().expect("the parent sends it")
        });
        handed.recv().expect("the child sends it").send(tally.make(42)).expect("the child listens");
        let received = child.join().expect("the child ends");
        assert_eq!((received.number, tally.gone()), (42, 0));
        drop(received);
        assert_eq!((tally.gone(), tally.made()), (1, 1));
    });
}
