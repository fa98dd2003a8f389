//! A box that moves to a child and keeps its address.
//!
//! `run-pass/task-spawn-move-and-copy.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::stream;
use pipes_tests::watched;

#[test]
fn its_address_stays_the_same() {
    watched(|| {
        let (mut chan, mut port) = stream::<Box<u64>>();
        let boxed = Box::new(10);
        let here = std::ptr::from_ref(&*boxed).addr();
        let child = Sleeper::spawn(move || {
            let boxed = port.recv().expect("it is sent");
            (std::ptr::from_ref(&*boxed).addr(), boxed)
        });
        chan.send(boxed).expect("the child listens");
        let (there, boxed) = child.join().expect("the child ends");
        assert_eq!((there, *boxed), (here, 10));
    });
}
