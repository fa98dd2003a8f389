//! Pipelines with as many stages as a sieve has, in a thread with the usual stack, which does not overflow.
//! An overflow ends the process, so each test has a process of its own.

use pipes_skeleton::{Pipeline, Processed, Stage, from_iter};
use pipes_tests::{apart, test_in, watched};
use std::ops::ControlFlow::Break;

const STAGES: usize = if cfg!(miri) { 10 } else { 150 };
/// In a build without optimization, frames are larger on ARM and on Windows.
const HUNDREDS: usize = if cfg!(any(target_arch = "aarch64", windows)) { 2 * STAGES } else { 3 * STAGES };

/// Counts items by their value, in a table of 16 KiB.
struct Table([u8; 1 << 14]);

impl Stage<u64> for Table {
    type Out = u64;

    fn process(&mut self, item: u64, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.0[item as usize] += 1;
        emit(item)
    }
}

fn chain(stages: usize, stage: fn(Pipeline<u64>) -> Pipeline<u64>) -> Pipeline<u64> {
    (0..stages).fold(from_iter(0..3), |items, _| stage(items))
}

#[test_in(apart, watched)]
fn of_every_kind() {
    let kinds: [fn(Pipeline<u64>) -> Pipeline<u64>; 9] = [
        |items| items.sequential(|number| number),
        |items| items.parallel(1, |number| number),
        |items| items.feedback(|again| again.sequential(Break::<u64, u64>)),
        |items| items.stage(Table([0; 1 << 14])),
        |items| items.parallel_with(2, |_| Table([0; 1 << 14])),
        |items| items.keyed(1, |number| *number, |number| number),
        |items| items.parallel(1, |number| number).in_order(),
        |items| items.in_order().concurrent(1, |number| async move { number }),
        |items| items.farm(1, |share| share.sequential(|number| number)),
    ];
    for kind in kinds {
        assert_eq!(chain(STAGES, kind).in_order().collect().expect("no stage fails"), [0, 1, 2]);
    }
}

/// A chain is run, dropped unused, and refused.
#[test_in(apart, watched)]
fn of_hundreds_of_stages() {
    let long = || chain(HUNDREDS, |items| items.sequential(|number| number));
    assert_eq!(long().collect().expect("no stage fails"), [0, 1, 2]);
    drop(long());
    long().in_flight(0).collect().expect_err("there is no window");
}
