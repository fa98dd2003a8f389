//! A receive that goes on while another thread dies.
//!
//! `test_unkillable_nested` of `core::task`, Rust 0.5: a receive in a section in which the task could not be
//! killed. Threads cannot be killed now, so all code is such a section.

use crate::acceptance::{Sleeper, die, died};
use pipes::oneshot;
use pipes_tests::watched;

#[test]
fn a_sibling_dies_during_a_receive() {
    watched(|| {
        let ((chan, port), (handing, handed)) = (oneshot::<Box<i32>>(), oneshot());
        let waiting = Sleeper::spawn(move || {
            // Two nested sections, with a handover between them.
            let inner = port.recv().map(|inner| *inner);
            handing.send(inner).expect("the parent listens");
        });
        waiting.fall_asleep();
        assert!(died(Sleeper::spawn(|| -> () { die() }).join()));
        chan.send(Box::new(7)).expect("it waits on");
        assert_eq!(handed.recv(), Ok(Ok(7)));
        waiting.join().expect("it was not killed");
    });
}
