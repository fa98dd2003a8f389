//! The memory that both sides of a bounded stream share, and which side frees it.
//!
//! It is one allocation, with a cursor for each side, which the other side never touches, the cells of both
//! sides, and the slots in a ring.
//!
//! Both sides leave through [`Buffer::leave`], which frees the memory if the caller is the second one. A pipe
//! has such a step only if a side waited, because most of the cost of a short session is creating and closing
//! its pipe. A bounded stream lives long.

use super::state::SlotWord;
use crate::slot::payload::PayloadCell;
use crate::sync::{AtomicBool, Ordering, allocate, release};
use crate::wait::{Party, Registration, WaiterCell, uses};
use std::alloc::Layout;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A slot: its word, and room for one payload.
pub(super) struct Slot<T> {
    pub(super) word: SlotWord,
    /// # Access
    ///
    /// It belongs to the sender while there is no message, and to the receiver after one was sent. See the
    /// table of states.
    pub(super) payload: PayloadCell<T>,
}

impl<T> Slot<T> {
    fn new() -> Self {
        Slot { word: SlotWord::new(), payload: PayloadCell::new() }
    }

    /// Returns the name of the slot.
    pub(super) fn place(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// Where a side stands. Each cursor has cache lines of its own, because only its side uses it.
///
/// # Access
///
/// It belongs to the holder of that side's end.
#[repr(align(128))]
pub(super) struct Cursor {
    /// The offset of the next slot from the buffer's beginning, in bytes.
    pub(super) at: Cell<usize>,
    /// The offset at which the slots end.
    pub(super) end: usize,
    /// Says whether the side has registered at its slot, and in which cell.
    pub(super) registration: Cell<Registration>,
}

impl Cursor {
    fn new(at: usize, end: usize) -> Self {
        Cursor { at: Cell::new(at), end, registration: Cell::new(Registration::NEW) }
    }
}

/// The head of a bounded stream's allocation. The slots lie behind it.
pub(super) struct Buffer<T> {
    pub(super) cursors: [Cursor; 2],
    /// Two cells for each side.
    pub(super) cells: [[WaiterCell; 2]; 2],
    /// `true` once one side has left.
    left: AtomicBool,
    slots: PhantomData<[Slot<T>]>,
}

impl<T> Buffer<T> {
    /// The offset at which the slots begin.
    pub(super) const SLOTS: usize = size_of::<Buffer<T>>().next_multiple_of(align_of::<Slot<T>>());

    /// Allocates a buffer for `capacity` messages.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0, or if that many messages need more memory than can be addressed.
    pub(super) fn fresh(capacity: usize) -> NonNull<Buffer<T>> {
        assert!(capacity > 0, "a bounded stream has at least one slot");
        let layout = Self::layout(capacity).expect("capacity overflow");
        // SAFETY: the layout's size is not zero, because it contains the head.
        let buffer = unsafe { allocate(layout) }.cast::<Buffer<T>>();
        let end = Self::SLOTS + capacity * size_of::<Slot<T>>();
        let cursor = || Cursor::new(Self::SLOTS, end);
        let cells = || [WaiterCell::new(), WaiterCell::new()];
        let head = Buffer {
            cursors: [cursor(), cursor()],
            cells: [cells(), cells()],
            left: AtomicBool::new(false),
            slots: PhantomData,
        };
        // SAFETY: the memory is fresh and has room for the head.
        unsafe { buffer.write(head) };
        for at in Self::places(end) {
            // SAFETY: the buffer was just allocated, and there is room for a slot at this offset.
            let slot = unsafe { Buffer::slot(buffer, at) };
            // SAFETY: the memory is fresh and has room for a slot here.
            unsafe { slot.write(Slot::new()) };
        }
        buffer
    }

    /// Returns `true` if the memory for `capacity` messages can be addressed.
    pub(super) fn is_addressable(capacity: usize) -> bool {
        Self::layout(capacity).is_some()
    }

    fn layout(slots: usize) -> Option<Layout> {
        let (layout, offset) =
            Layout::new::<Buffer<T>>().extend(Layout::array::<Slot<T>>(slots).ok()?).ok()?;
        debug_assert_eq!(offset, Self::SLOTS);
        Some(layout)
    }

    /// Returns the offsets of the slots, which end at `end`.
    fn places(end: usize) -> impl Iterator<Item = usize> {
        (Self::SLOTS..end).step_by(size_of::<Slot<T>>())
    }

    /// Returns the slot with this offset from the buffer's beginning.
    ///
    /// # Safety
    ///
    /// The buffer must be live, and must have a slot at this offset.
    #[inline(always)]
    pub(super) unsafe fn slot(buffer: NonNull<Buffer<T>>, at: usize) -> NonNull<Slot<T>> {
        // SAFETY: the buffer has a slot at this offset (caller), inside its allocation.
        unsafe { buffer.byte_add(at) }.cast()
    }

    /// Leaves the buffer for one side. The second side to leave frees the buffer.
    ///
    /// # Safety
    ///
    /// The caller must not have left yet, and must not touch the buffer again. When the second side leaves,
    /// no slot may contain a message: each message must have been taken, or dropped by the receiver before it
    /// left.
    pub(super) unsafe fn leave(buffer: NonNull<Buffer<T>>) {
        // SAFETY: the buffer lives, because the caller has not left yet.
        let left = unsafe { &raw const (*buffer.as_ptr()).left };
        // SAFETY: the buffer lives until the swap, because the caller has not left before. The other side may
        // free it as soon as the swap is done, which is allowed for an atomic.
        let left = unsafe { &*left };
        // ORDERING: Release pairs with the other side's Acquire in this same swap: the first side is done
        // with the buffer before the second one frees it.
        if left.swap(true, Ordering::AcqRel) {
            uses::freed(buffer.addr().get());
            // SAFETY: the flag was set, so the other side has left before this one, and neither touches the
            // buffer again.
            unsafe { Buffer::free(buffer) };
        }
    }

    /// Frees the buffer.
    ///
    /// # Safety
    ///
    /// Both sides must have left.
    unsafe fn free(buffer: NonNull<Buffer<T>>) {
        // SAFETY: both sides have left (caller), so the buffer is only used here.
        let head = unsafe { buffer.as_ref() };
        head.cells.iter().flatten().for_each(WaiterCell::before_free);
        let end = head.cursors[Party::Sender as usize].end;
        for at in Self::places(end) {
            // SAFETY: the buffer lives until it is released below, and has a slot at this offset.
            let mut slot = unsafe { Buffer::slot(buffer, at) };
            // SAFETY: both sides have left (caller), so the slot is only used here.
            let slot = unsafe { slot.as_mut() };
            slot.payload.before_free();
            slot.word.before_free();
        }
        let layout = Self::layout(Self::places(end).count())
            .expect("the same layout was computed when the buffer was made");
        // SAFETY: `fresh` got the memory from `allocate` with this layout, and both sides have left (caller).
        unsafe { release(buffer.cast(), layout) };
    }
}
