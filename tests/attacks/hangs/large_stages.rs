//! Chains of fewer stages than a `Pipeline` has room for, each of which owns a table of 16 KiB, in a thread
//! with the usual stack. Starting them must not take a stack that grows with what the stages own. Each test
//! runs in its own process.

use pipes_skeleton::{Pipeline, Processed, Stage, from_iter};
use pipes_tests::{apart, watched};

const STAGES: usize = if cfg!(miri) { 10 } else { 100 };

/// Counts items by their value, in a table of 16 KiB.
struct Tally([u8; 1 << 14]);

impl Tally {
    fn new() -> Self {
        Tally([0; 1 << 14])
    }
}

impl Stage<usize> for Tally {
    type Out = usize;

    fn process(&mut self, item: usize, emit: &mut impl FnMut(usize) -> Processed) -> Processed {
        self.0[item] += 1;
        emit(item)
    }
}

fn chain(stage: fn(Pipeline<usize>) -> Pipeline<usize>) {
    apart(|| {
        watched(move || {
            let items = (0..STAGES).fold(from_iter(0..3), |items, _| stage(items)).in_order();
            assert_eq!(items.collect().expect("no stage fails"), [0, 1, 2]);
        });
    });
}

#[test]
fn of_sequential_stages() {
    chain(|items| items.stage(Tally::new()));
}

#[test]
fn of_farms() {
    chain(|items| items.parallel_with(2, |_| Tally::new()));
}
