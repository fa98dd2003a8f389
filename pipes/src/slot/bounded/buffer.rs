//! The memory that both sides of a bounded stream share, and who frees it.
//!
//! One allocation: a cursor for each side, which nobody else touches, the seats of those who wait, and the
//! slots in a ring.
//!
//! Both sides leave through [`Buffer::leave`], which tells who is second and frees. (A pipe asks only if
//! somebody waited, because creating and closing one is what its users pay for most. A bounded stream lives
//! long.)

use super::state::{SlotState, SlotWord};
use crate::slot::payload::PayloadCell;
use crate::slot::seat::{Party, Seat, Seating};
use crate::sync::{AtomicBool, Ordering, allocate, release};
use std::alloc::Layout;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A slot: its word, and room for one payload.
pub(super) struct Slot<T> {
    pub(super) word: SlotWord,
    /// # Access
    ///
    /// The sender while there is no message, the receiver when one was sent; see the table of states.
    pub(super) payload: PayloadCell<T>,
}

impl<T> Slot<T> {
    fn new() -> Self {
        Slot { word: SlotWord::new(), payload: PayloadCell::new() }
    }
}

/// Where a side stands: its own business, kept apart from the other side's in cache lines of its own.
///
/// # Access
///
/// The holder of that side's end.
#[repr(align(128))]
pub(super) struct Cursor {
    /// Which slot is next: how many bytes behind the buffer's beginning.
    pub(super) at: Cell<usize>,
    /// Where the slots end.
    pub(super) end: usize,
    /// What the sender puts into a slot: at capacity 0 an offer, else a message.
    pub(super) message: SlotState,
    /// Whether the side has registered at its slot, and in which seat.
    pub(super) seating: Cell<Seating>,
}

impl Cursor {
    fn new(at: usize, end: usize, message: SlotState) -> Self {
        Cursor { at: Cell::new(at), end, message, seating: Cell::new(Seating::NEW) }
    }
}

/// The head of a bounded stream's allocation; the slots lie behind it.
pub(super) struct Buffer<T> {
    pub(super) cursors: [Cursor; 2],
    /// Two seats for each side.
    pub(super) seats: [[Seat; 2]; 2],
    /// One side has left.
    left: AtomicBool,
    slots: PhantomData<[Slot<T>]>,
}

impl<T> Buffer<T> {
    /// Where the slots begin.
    pub(super) const SLOTS: usize = size_of::<Buffer<T>>().next_multiple_of(align_of::<Slot<T>>());

    /// Fresh memory for so many messages: one allocation.
    ///
    /// # Panics
    ///
    /// More messages than memory can be addressed for.
    pub(super) fn fresh(capacity: usize) -> NonNull<Buffer<T>> {
        let slots = capacity.max(1);
        let layout = Self::layout(slots).expect("capacity overflow");
        // SAFETY: the layout holds at least the head.
        let buffer = unsafe { allocate(layout) }.cast::<Buffer<T>>();
        let end = Self::SLOTS + slots * size_of::<Slot<T>>();
        let message = if capacity == 0 { SlotState::OFFERED } else { SlotState::FULL };
        let cursor = || Cursor::new(Self::SLOTS, end, message);
        let seats = || [Seat::new(), Seat::new()];
        let head = Buffer {
            cursors: [cursor(), cursor()],
            seats: [seats(), seats()],
            left: AtomicBool::new(false),
            slots: PhantomData,
        };
        // SAFETY: fresh memory, with room for it.
        unsafe { buffer.write(head) };
        for at in Self::places(end) {
            // SAFETY: this is where a slot lies,
            let slot = unsafe { Buffer::slot(buffer, at) };
            // SAFETY: for which there is room.
            unsafe { slot.write(Slot::new()) };
        }
        buffer
    }

    fn layout(slots: usize) -> Option<Layout> {
        let (layout, offset) =
            Layout::new::<Buffer<T>>().extend(Layout::array::<Slot<T>>(slots).ok()?).ok()?;
        debug_assert_eq!(offset, Self::SLOTS);
        Some(layout)
    }

    /// Where the slots lie that end here.
    fn places(end: usize) -> impl Iterator<Item = usize> {
        (Self::SLOTS..end).step_by(size_of::<Slot<T>>())
    }

    /// The slot that lies so many bytes behind the buffer's beginning.
    ///
    /// # Safety
    ///
    /// The buffer lives, and a slot lies there.
    #[inline(always)]
    pub(super) unsafe fn slot(buffer: NonNull<Buffer<T>>, at: usize) -> NonNull<Slot<T>> {
        // SAFETY: the slots lie inside the allocation.
        unsafe { buffer.byte_add(at) }.cast()
    }

    /// A side leaves; the second one frees.
    ///
    /// # Safety
    ///
    /// The caller has not left yet, and does not touch the buffer again. Whoever leaves second has made sure
    /// that all messages were taken, or dropped by the receiver before that left.
    pub(super) unsafe fn leave(buffer: NonNull<Buffer<T>>) {
        // SAFETY: the buffer lives until both sides have left.
        let left = unsafe { &raw const (*buffer.as_ptr()).left };
        // SAFETY: as above; an atomic may be freed by another side as soon as the swap is done.
        let left = unsafe { &*left };
        // ORDERING: Release pairs with the other side's Acquire in the same swap: the first to leave is done
        // with the buffer before the second frees it.
        if left.swap(true, Ordering::AcqRel) {
            // SAFETY: both sides have left.
            unsafe { Buffer::free(buffer) };
        }
    }

    /// # Safety
    ///
    /// Both sides have left.
    unsafe fn free(buffer: NonNull<Buffer<T>>) {
        // SAFETY: nobody else has it any more.
        let head = unsafe { buffer.as_ref() };
        head.seats.iter().flatten().for_each(Seat::retire);
        let end = head.cursors[Party::Sender as usize].end;
        for at in Self::places(end) {
            // SAFETY: this is where a slot lies,
            let mut slot = unsafe { Buffer::slot(buffer, at) };
            // SAFETY: and nobody else has it.
            let slot = unsafe { slot.as_mut() };
            slot.payload.retire();
            slot.word.retire();
        }
        let layout = Self::layout(Self::places(end).count())
            .expect("the same layout was computed when the buffer was made");
        // SAFETY: the memory came from `allocate` with this layout.
        unsafe { release(buffer.cast(), layout) };
    }
}
