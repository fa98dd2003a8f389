//! A thousand sends before the first receive.
//!
//! `run-pass/task-comm-5.rs`, Rust 0.5.

use pipes::stream;
use pipes_tests::watched;

#[test]
fn sending_does_not_wait() {
    watched(|| {
        let (mut chan, mut port) = stream();
        (0..1_000_u64).for_each(|number| chan.send(number).expect("the port is here"));
        let numbers = (0..1_000).map(|_| port.recv().expect("it was sent"));
        assert_eq!(numbers.sum::<u64>(), 999 * 1_000 / 2);
    });
}
