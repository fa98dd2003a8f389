//! Skeletons for data in memory over `usize::MAX` items without a size. They must end with the first panic,
//! in any of their threads, and take no memory for items that they have not seen. Also a problem that is
//! divided very deeply and then fails.

use pipes_skeleton::{Divided, Failure, divide_and_conquer, map, map_in_place, map_reduce, reduce};
use pipes_tests::{Counted, Tally, watched};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Deep enough for the stack of a thread to overflow if a level took 42 bytes of it.
const DEPTH: u64 = if cfg!(miri) { 50 } else { 50_000 };

/// Panics at its 101st call.
#[derive(Default)]
struct Fuse(AtomicU64);

impl Fuse {
    fn call(&self) {
        assert!(self.0.fetch_add(1, SeqCst) != 100, "the fuse");
    }
}

fn fails<T>(result: Result<T, Failure>) {
    let failure = result.err().expect("a function panics");
    assert_eq!(failure.panic_message(), Some("the fuse"));
}

#[test]
fn as_many_as_can_be_counted() {
    watched(|| {
        // Items without a size, in a box that takes no memory.
        let mut items = vec![(); usize::MAX];
        for workers in [1, 2, 7] {
            let fuse = Fuse::default();
            fails(map_in_place(&mut items, workers, |()| fuse.call()));
            let fuse = Fuse::default();
            fails(map(&items, workers, |()| fuse.call()));
            let fuse = Fuse::default();
            let count = |sum: u64, &(): &()| {
                fuse.call();
                sum + 1
            };
            fails(reduce(&items, workers, || 0, count, |one, other| one + other));
            let fuse = Fuse::default();
            fails(map_reduce(
                &items,
                workers,
                |()| {
                    fuse.call();
                    [((), 1_u64)]
                },
                |one, other| one + other,
            ));
        }
    });
}

/// Each problem is divided into a deep one and one that is solved at once. A function panics at some depth,
/// or never, while results wait at each depth.
#[test]
fn deep_and_given_up() {
    watched(|| {
        for workers in [1, 2, 5] {
            for fuse in [0, DEPTH / 2, u64::MAX] {
                let tally = Tally::new();
                let divide = |(depth, value): (u64, Counted)| {
                    if depth == 0 {
                        drop(value);
                        return Divided::Solved(vec![tally.make(0)]);
                    }
                    let number = value.number;
                    assert!(number != fuse, "the fuse");
                    let deeper = (depth - 1, tally.make(number.wrapping_sub(1)));
                    Divided::Into(vec![deeper, (0, value)])
                };
                let conquer = |results: Vec<Vec<Counted>>| {
                    let mut all: Vec<_> = results.into_iter().flatten().collect();
                    all.truncate(2);
                    all
                };
                let result = divide_and_conquer((DEPTH, tally.make(DEPTH)), workers, divide, conquer);
                assert_eq!(result.is_err(), fuse > 0 && fuse <= DEPTH, "{workers} workers, {fuse}");
                drop(result);
                tally.assert_all_gone();
            }
        }
    });
}
