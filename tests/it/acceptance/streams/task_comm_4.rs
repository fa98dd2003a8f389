//! Four sends, four receives, and the same again.
//!
//! `run-pass/task-comm-4.rs`, Rust 0.5.

use pipes::stream;
use pipes_tests::watched;

#[test]
fn on_one_thread() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let mut sum = 0;
        for numbers in [[1, 2, 3, 4], [5, 6, 7, 8]] {
            numbers.into_iter().for_each(|number| chan.send(number).expect("the port is here"));
            for number in numbers {
                assert_eq!(port.recv(), Ok(number));
                sum += number;
            }
        }
        assert_eq!(sum, 36);
    });
}
