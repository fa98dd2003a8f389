//! Chains of fewer stages than a `Pipeline` promises to have room for, each of which owns a table of some kilobytes, in a thread with the stack that threads
//! usually have: to start them takes a stack that does not grow with what they own. Each runs in a process of its own.

use pipes::skeleton::{Pipeline, Processed, Stage, from_iter};
use pipes_tests::{apart, watched};

const STAGES: usize = if cfg!(miri) { 10 } else { 100 };

/// Counts items by what they are, in a table of 16 KiB.
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
