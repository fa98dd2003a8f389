//! Tests a cache on its own, even where threads have none.

use super::{CLASSES, Cache, LARGEST, MOST, STEP, layout_of};
use crate::sync::{allocate, release};
use std::alloc::Layout;
use std::ptr::NonNull;

/// Allocates memory of a class.
fn fresh(class: usize) -> NonNull<u8> {
    // SAFETY: the size of a class is not zero.
    unsafe { allocate(layout_of(class)) }
}

/// Puts the memory into the stack of its class, and frees it if the stack refuses it. Returns `true` if it is
/// kept.
fn keeps(cache: &Cache, class: usize, memory: NonNull<u8>) -> bool {
    // SAFETY: the tests get all memory of a class from `fresh`, and do not use it while it is in the stack.
    let is_kept = unsafe { cache.stacks[class].push(memory) };
    if !is_kept {
        // SAFETY: the memory is from `fresh`, and in no stack.
        unsafe { release(memory, layout_of(class)) };
    }
    is_kept
}

/// Fills all bytes, so that Miri sees that they may be written.
fn fill(memory: NonNull<u8>, class: usize) {
    // SAFETY: the memory has the layout of the class, and is in no stack.
    unsafe { memory.write_bytes(0xff, layout_of(class).size()) };
}

#[test]
fn the_last_piece_comes_first() {
    let cache = Cache::new();
    cache.open();
    let pieces = [fresh(2), fresh(2), fresh(2)];
    for piece in pieces {
        fill(piece, 2);
        assert!(keeps(&cache, 2, piece));
    }
    let other = fresh(3);
    assert!(keeps(&cache, 3, other));
    for piece in pieces.into_iter().rev() {
        assert_eq!(cache.stacks[2].pop(), Some(piece));
        fill(piece, 2);
    }
    assert_eq!(cache.stacks[2].pop(), None);
    assert!(pieces.into_iter().all(|piece| keeps(&cache, 2, piece)));
    // Miri reports what is not freed here.
    cache.close();
}

#[test]
fn no_more_is_kept_than_there_is_room_for() {
    let cache = Cache::new();
    cache.open();
    for class in 0..CLASSES {
        for _ in 0..3 {
            let kept = (0..2 * MOST).filter(|_| keeps(&cache, class, fresh(class))).count();
            assert_eq!(kept, MOST);
            // Half of it is used again, and then there is room for as much.
            let used: Vec<_> = (0..MOST / 2).map_while(|_| cache.stacks[class].pop()).collect();
            assert_eq!(used.len(), MOST / 2);
            assert!(used.into_iter().all(|piece| keeps(&cache, class, piece)));
            assert!(!keeps(&cache, class, fresh(class)));
            while let Some(piece) = cache.stacks[class].pop() {
                // SAFETY: the piece is from `fresh`, and in no stack.
                unsafe { release(piece, layout_of(class)) };
            }
        }
    }
}

#[test]
fn a_cache_keeps_something_only_while_it_is_open() {
    let cache = Cache::new();
    assert!(!keeps(&cache, 0, fresh(0)), "it has no guard yet");
    cache.open();
    assert!(keeps(&cache, 0, fresh(0)));
    cache.open();
    assert_eq!(cache.stacks[0].room.get(), MOST - 1, "it opens once");
    cache.close();
    assert!(!keeps(&cache, 0, fresh(0)), "its thread has ended");
    cache.open();
    assert!(!keeps(&cache, 0, fresh(0)), "it does not open again");
    assert_eq!(cache.stacks[0].pop(), None);
}

/// The class of a layout fits it.
#[test]
fn classes_fit() {
    for size in 1..=LARGEST + STEP {
        for align in [1, 8, 16, 32] {
            let layout = Layout::from_size_align(size, align).expect("it is small");
            let Some(class) = super::class_of(layout) else {
                assert!(!super::IS_ON || size > LARGEST || align > 16);
                continue;
            };
            let whole = layout_of(class);
            assert!(size <= whole.size() && whole.size() - size < STEP && align <= whole.align());
        }
    }
}
