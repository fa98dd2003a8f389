//! When a buried block is freed, in one thread.

use super::{Block, NonNull, Ordering, Visits};

fn count_buried(visits: &Visits<u64>) -> usize {
    let top = NonNull::new(visits.buried.load(Ordering::Relaxed));
    // SAFETY: only this thread knows the blocks, and there is no message in them.
    std::iter::successors(top, |block| NonNull::new(unsafe { block.as_ref() }.prev())).count()
}

/// A block that a visitor may have seen is freed with the first block that is freed when no sender visits, or
/// with the queue.
#[test]
fn blocks_wait_for_visitors() {
    let (mut visits, blocks) = (Visits::<u64>::new(), [(); 5].map(|()| Block::fresh()));
    let [first, second, third, fourth, fifth] = blocks;
    // SAFETY: only this thread knows the block, and there is no message in it.
    let free = |visits: &Visits<u64>, block| unsafe { visits.free(block) };
    free(&visits, first);
    assert_eq!(count_buried(&visits), 0, "there is no visitor");
    let (visit, other) = (visits.begin(), visits.begin());
    free(&visits, second);
    drop(visit);
    free(&visits, third);
    assert_eq!(count_buried(&visits), 2, "one of the visitors is still there");
    drop(other);
    free(&visits, fourth);
    assert_eq!(count_buried(&visits), 0, "all are freed together");
    let visit = visits.begin();
    free(&visits, fifth);
    assert_eq!(count_buried(&visits), 1);
    drop(visit);
    visits.retire();
    assert_eq!(count_buried(&visits), 0);
}
