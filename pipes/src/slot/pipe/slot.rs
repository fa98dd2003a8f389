//! A slot: its word, and room for a payload behind it.

use super::kind::Kind;
use super::state::SlotWord;
use crate::sync::Access;
use std::ptr::NonNull;

/// The head of a slot; the payload lies behind it.
#[repr(C)]
pub(super) struct SlotHead {
    pub(super) word: SlotWord,
    /// Stands for the payload.
    pub(super) access: Access,
}

/// Makes memory into empty slots.
///
/// # Safety
///
/// There is room for `count` slots, and it is the caller's.
#[inline]
pub(super) unsafe fn prepare_slots(first: NonNull<u8>, kind: &Kind, count: u32) {
    for index in 0..count as usize {
        // SAFETY: `index` is below the number of slots.
        let slot = unsafe { first.add(index * kind.stride) }.cast::<SlotHead>();
        // SAFETY: the caller's memory.
        unsafe { slot.write(SlotHead { word: SlotWord::new(), access: Access::new() }) };
    }
}

/// Says that slots are about to be freed: the model checks that nobody uses them.
///
/// # Safety
///
/// There are `count` slots, and they are the caller's.
#[inline]
pub(super) unsafe fn retire_slots(first: NonNull<u8>, kind: &Kind, count: u32) {
    for index in 0..count as usize {
        // SAFETY: `index` is below the number of slots.
        let mut slot = unsafe { first.add(index * kind.stride) }.cast::<SlotHead>();
        // SAFETY: nobody else has it.
        let slot = unsafe { slot.as_mut() };
        slot.access.exclusive();
        slot.word.retire();
    }
}
