//! A chan that a child sends back.
//!
//! `run-pass/task-comm-10.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::{RecvError, stream};
use pipes_tests::watched;

#[test]
fn the_parent_sends_on_it() {
    watched(|| {
        let (mut handing, mut handed) = stream();
        let child = Sleeper::spawn(move || {
            let (chan, mut port) = stream::<String>();
            handing.send(chan).expect("the parent listens");
            [port.recv(), port.recv(), port.recv()]
        });
        let mut chan = handed.recv().expect("the child sends it");
        for word in ["A", "B"] {
            chan.send(word.to_owned()).expect("the child listens");
        }
        drop(chan);
        let heard = child.join().expect("the child ends");
        assert_eq!(heard, [Ok("A".to_owned()), Ok("B".to_owned()), Err(RecvError)]);
    });
}
