//! The skeletons for data in memory.

use crate::explore;
use pipes_skeleton::{Divided, FailureKind, divide_and_conquer, map, map_in_place, map_reduce, reduce};
use std::panic::resume_unwind;

/// Workers steal work from each other, sleep when there is none, and end together.
#[test]
fn divided() {
    explore(|| {
        for workers in [2, 3] {
            let divide = |n: u64| match n {
                0 | 1 => Divided::Solved(n),
                n => Divided::Into(vec![n - 1, n - 2]),
            };
            let sum = divide_and_conquer(5, workers, divide, |parts: Vec<u64>| parts.into_iter().sum());
            assert_eq!(sum.expect("none fails"), 5);
        }
    });
}

/// One worker panics while others work, sleep, or are about to sleep.
#[test]
fn divided_and_failed() {
    explore(|| {
        let divide = |n: u64| match n {
            2 => resume_unwind(Box::new("two")),
            n if n < 2 => Divided::Solved(n),
            n => Divided::Into(vec![n - 1, n - 2]),
        };
        let failed = divide_and_conquer(4, 3, divide, |parts: Vec<u64>| parts.into_iter().sum());
        let failure = failed.expect_err("a worker panics");
        assert_eq!(failure.panic_message(), Some("two"));
    });
}

/// Several workers work on one slice.
#[test]
fn slices() {
    explore(|| {
        let mut items: Vec<u64> = (0..7).collect();
        assert!(map(&items, 3, |n| n * n).expect("none fails").into_iter().eq((0..7).map(|n| n * n)));
        map_in_place(&mut items, 2, |n| *n += 1).expect("none fails");
        let sum = reduce(&items, 3, || 0, |sum, n| sum + n, |a, b| a + b);
        assert_eq!(sum.expect("none fails"), 28);
        let counts = map_reduce(&items, 2, |n| [(n % 2, 1_u64)], |a, b| a + b);
        assert_eq!(counts.expect("none fails").len(), 2);
        let failed = map(&items, 3, |n| if *n == 4 { resume_unwind(Box::new("four")) } else { *n });
        assert!(matches!(failed.expect_err("one panics").kind(), FailureKind::Panic(_)));
    });
}
