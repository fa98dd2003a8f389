//! When a retired block is freed, in one thread.

use super::{Block, NonNull, Ordering, Pins};

fn count_retired(pins: &Pins<u64>) -> usize {
    let top = NonNull::new(pins.retired.load(Ordering::Relaxed));
    // SAFETY: only this thread knows the blocks, and there is no message in them.
    std::iter::successors(top, |block| NonNull::new(unsafe { block.as_ref() }.prev())).count()
}

/// A block that a pinned sender may have seen is freed with the first block that is freed while no sender is
/// pinned, or with the queue.
#[test]
fn blocks_wait_for_pinned_senders() {
    let (mut pins, blocks) = (Pins::<u64>::new(), [(); 5].map(|()| Block::fresh()));
    let [first, second, third, fourth, fifth] = blocks;
    // SAFETY: only this thread knows the block, and there is no message in it.
    let free = |pins: &Pins<u64>, block| unsafe { pins.free(block) };
    free(&pins, first);
    assert_eq!(count_retired(&pins), 0, "there is no pinned sender");
    let (pin, other) = (pins.pin(), pins.pin());
    free(&pins, second);
    drop(pin);
    free(&pins, third);
    assert_eq!(count_retired(&pins), 2, "one of the pinned senders is still there");
    drop(other);
    free(&pins, fourth);
    assert_eq!(count_retired(&pins), 0, "all are freed together");
    let pin = pins.pin();
    free(&pins, fifth);
    assert_eq!(count_retired(&pins), 1);
    drop(pin);
    pins.before_free();
    assert_eq!(count_retired(&pins), 0);
}
