//! A chan whose port is gone.
//!
//! `run-pass/task-comm-11.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::{RecvError, stream};
use pipes_tests::watched;

#[test]
fn it_is_received_and_dropped() {
    watched(|| {
        let (mut handing, mut handed) = stream();
        let child = Sleeper::spawn(move || {
            let (chan, _port) = stream::<u64>();
            handing.send(chan).expect("the parent listens");
        });
        child.join().expect("the child ends");
        let chan = handed.recv().expect("the child has sent it");
        assert!(chan.is_closed());
        drop(chan);
        assert!(matches!(handed.recv(), Err(RecvError)));
    });
}
