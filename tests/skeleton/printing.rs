//! Printing a handle holds no lock: the writer may use what is printed.

use pipes_skeleton::{Batching, Metrics, Pace, from_iter};
use pipes_tests::{test_in, watched};
use std::fmt::{self, Write};

/// A writer that calls a function.
struct Calls<F>(F);

impl<F: FnMut()> Write for Calls<F> {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        (self.0)();
        Ok(())
    }
}

#[test_in(watched)]
fn a_writer_that_uses_what_is_printed() {
    let (pace, batching, metrics) =
        (Pace::new(1e9).expect("it can be kept"), Batching::of(3), Metrics::new());
    let items = from_iter(0..9_u64).paced(&pace).batched(&batching).measured(&metrics);
    assert_eq!(items.collect().expect("no stage fails").len(), 3);
    let uses = || {
        pace.set(2.0).expect("it can be kept");
        batching.set_size(4).expect("it is possible");
        assert_eq!(metrics.report().items(), 3);
    };
    write!(Calls(uses), "{pace:#?} {batching:#?} {metrics:#?} {}", metrics.report()).expect("it is written");
}
