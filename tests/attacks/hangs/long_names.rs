//! A stage whose name is longer than the greatest width of a format: its metrics and its failure must be
//! printed all the same.

use pipes_skeleton::{Metrics, from_iter};
use pipes_tests::watched;

/// One more than the greatest width that `{:width$}` accepts.
const LONG: usize = 1 << 16;

#[test]
fn figures_of_a_stage_with_a_long_name() {
    watched(|| {
        let metrics = Metrics::new();
        let items =
            from_iter(0..3).sequential(|number| number + 1).named("x".repeat(LONG)).measured(&metrics);
        assert_eq!(items.collect().expect("no stage fails"), [1, 2, 3]);
        assert!(metrics.report().to_string().len() > LONG);
    });
}

#[test]
fn a_failure_of_a_stage_with_a_long_name() {
    watched(|| {
        let items = from_iter(0..3).sequential(|number| 1 / number).named("x".repeat(LONG));
        assert!(items.collect().expect_err("by zero").to_string().len() > LONG);
    });
}
