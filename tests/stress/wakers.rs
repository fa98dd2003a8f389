//! Wakers that panic in the middle of a race.

use crate::race::{alone, race};
use pipes_tests::{Bell, Tally, caught, poll};

fn panic() {
    std::panic::resume_unwind(Box::new("on purpose"));
}

/// The port leaves while the chan sends: the waker is called for the message, for the close that the sender
/// answers with, or not at all. The payloads are large, so that a block has few slots, and the chan is at the
/// last one as often as not.
#[test]
fn a_panicking_waker_against_a_port_that_leaves() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut chan, mut port) = pipes::stream();
            for number in 0..number as u64 % 6 {
                assert!(chan.send((tally.make(number), [0_u64; 150])).is_ok());
                drop(port.recv());
            }
            let (_, waker) = Bell::that(panic);
            assert!(poll(&mut port, &waker).is_pending());
            (port, (chan, (tally.make(number as u64), [0; 150])))
        };
        race(100_000, make, drop, |(mut chan, payload)| {
            caught(|| drop(chan.send(payload)));
            drop(chan);
        });
        tally.assert_all_gone();
    });
}
