//! Sends to a receiver that has left.
//!
//! `run-pass/task-comm-15.rs`, Rust 0.5. A failed send gives its value back; the original lost it.

use crate::acceptance::Sleeper;
use pipes::stream;
use pipes_tests::{Counted, Tally, watched};
use std::thread::Builder;

#[test]
fn the_receiver_takes_one_of_ten() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, mut port) = stream::<Counted>();
        // The receiver takes the first message as soon as it is sent, and leaves while others are sent.
        let receiving = Sleeper::spawn(move || port.recv().expect("it is sent").number);
        let mut back = 0;
        for number in 0..10 {
            match chan.send(tally.make(number)) {
                Ok(()) => assert_eq!(back, 0, "once it has gone it does not come back"),
                Err(error) => {
                    assert_eq!(error.into_payload().number, number);
                    back += 1;
                }
            }
        }
        assert!(back < 10, "the first one was received");
        assert_eq!(receiving.join().expect("it does not panic"), 0);
        assert_eq!(chan.send(tally.make(10)).map_err(|error| error.into_payload().number), Err(10));
        tally.assert_all_gone();
    });
}

/// For any number of messages, on a small stack.
#[test]
fn what_was_not_read_is_destroyed() {
    watched(|| {
        let small = Builder::new().stack_size(64 * 1024).spawn(|| {
            let tally = Tally::new();
            let (mut chan, mut port) = stream();
            (0..100_000).for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
            drop(port.recv());
            drop(port);
            assert_eq!(tally.gone(), 100_000);
            assert!(chan.send(tally.make(0)).is_err());
            tally.assert_all_gone();
        });
        small.expect("a thread can be had").join().expect("the stack is large enough");
    });
}
