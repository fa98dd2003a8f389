//! A slot: its word, with room for a payload behind it.

use super::kind::Kind;
use super::state::SlotWord;
use crate::sync::Access;
use std::ptr::NonNull;

/// The head of a slot. The payload lies behind it.
#[repr(C)]
pub(super) struct SlotHead {
    pub(super) word: SlotWord,
    /// Stands for the payload in models.
    pub(super) access: Access,
}

/// Writes empty slots into memory.
///
/// # Safety
///
/// There must be room for `count` slots of this kind from `first` on, and the memory must be the caller's.
#[inline(always)]
pub(super) unsafe fn prepare_slots(first: NonNull<u8>, kind: &Kind, count: u32) {
    for index in 0..count as usize {
        // SAFETY: `index` is below `count`, and there is room for that many slots (caller).
        let slot = unsafe { first.add(index * kind.stride) }.cast::<SlotHead>();
        // SAFETY: there is room for this slot, and the memory is the caller's.
        unsafe { slot.write(SlotHead { word: SlotWord::new(), access: Access::new() }) };
    }
}

/// Announces that slots are about to be freed, so that models check that no thread uses them.
///
/// # Safety
///
/// `count` slots of this kind must lie from `first` on, and they must be the caller's.
#[inline]
pub(super) unsafe fn slots_before_free(first: NonNull<u8>, kind: &Kind, count: u32) {
    for index in 0..count as usize {
        // SAFETY: `index` is below `count`, and that many slots lie there (caller).
        let mut slot = unsafe { first.add(index * kind.stride) }.cast::<SlotHead>();
        // SAFETY: the slot is the caller's, which is about to free it.
        let slot = unsafe { slot.as_mut() };
        slot.access.exclusive();
        slot.word.before_free();
    }
}
