//! The metrics of a pipeline whose results are taken one by one: each result that was taken must be counted,
//! the last one included.

use pipes_skeleton::{Failure, Metrics, from_iter};
use pipes_tests::watched;

#[test]
fn a_few_are_taken() {
    watched(|| {
        for few in 0..4_u64 {
            let metrics = Metrics::new();
            let squares = from_iter(0..100_u64).parallel(2, |n| n * n).in_order().measured(&metrics);
            let taken: Result<Vec<_>, Failure> = squares.into_iter().take(few as usize).collect();
            assert_eq!(taken.expect("no stage fails").len() as u64, few);
            assert_eq!(metrics.report().items(), few, "items have come out");
        }
    });
}

/// The iterator is dropped after the last item and before it returns `None`: all items must be counted.
#[test]
fn all_are_taken_and_no_more_are_asked_for() {
    watched(|| {
        let metrics = Metrics::new();
        let mut items = from_iter(0..3_u64).sequential(|n| n).measured(&metrics).into_iter();
        for n in 0..3 {
            assert_eq!(items.next().expect("there are three").expect("no stage fails"), n);
        }
        drop(items);
        assert_eq!(metrics.report().items(), 3);
    });
}
