//! Three numbers from a child.
//!
//! `run-pass/task-comm-0.rs`, Rust 0.5.

use crate::acceptance::Sleeper;
use pipes::{RecvError, stream};
use pipes_tests::watched;

#[test]
fn in_their_order() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let child = Sleeper::spawn(move || [10, 20, 30].map(|number| chan.send(number).is_ok()));
        assert_eq!([port.recv(), port.recv(), port.recv()], [Ok(10), Ok(20), Ok(30)]);
        assert_eq!(child.join().expect("the child ends"), [true; 3]);
        assert_eq!(port.recv(), Err(RecvError));
    });
}
