//! A destructor that sends while its thread dies.
//!
//! `run-pass/unwind-resource.rs`, Rust 0.5.

use crate::acceptance::{Sleeper, die, died};
use pipes::{Chan, RecvError, stream};
use pipes_tests::watched;

struct Complainer(Chan<bool>);

impl Drop for Complainer {
    fn drop(&mut self) {
        self.0.send(std::thread::panicking()).expect("the parent listens");
    }
}

#[test]
fn it_is_heard() {
    watched(|| {
        let (chan, mut port) = stream();
        let child = Sleeper::spawn(move || {
            let _complainer = Complainer(chan);
            die()
        });
        assert_eq!(port.recv(), Ok(true));
        assert_eq!(port.recv(), Err(RecvError));
        assert!(died::<()>(child.join()));
    });
}
