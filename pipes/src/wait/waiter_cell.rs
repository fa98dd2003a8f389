//! Waiter cells: where a side puts its waiter for the other side.

use super::waiter::Waiter;
use crate::sync::Access;
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::task::Waker;

/// The two parties at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Party {
    Sender = 0,
    Receiver = 1,
}

/// One of the two cells of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellIndex {
    First = 0,
    Second = 1,
}

impl CellIndex {
    pub(crate) const BOTH: [CellIndex; 2] = [CellIndex::First, CellIndex::Second];
}

/// What a side remembers about its cells, in two bits: whether it has registered, and which cell it uses.
#[derive(Clone, Copy)]
pub(crate) struct Registration(usize);

const REGISTERED: usize = 1;
const SECOND: usize = 2;

impl Registration {
    /// The side is not registered, and uses the first cell first.
    pub(crate) const NEW: Registration = Registration(0);
    /// The bits that a registration uses.
    pub(crate) const BITS: usize = REGISTERED | SECOND;

    /// Returns the registration with these bits, which [`bits`](Registration::bits) returned.
    #[inline(always)]
    pub(crate) fn of(bits: usize) -> Self {
        Registration(bits)
    }

    /// Returns the bits, for a side that stores them beside others.
    #[inline(always)]
    pub(crate) fn bits(self) -> usize {
        self.0
    }

    /// Returns `true` if the side has registered, and has not unregistered since.
    #[inline(always)]
    pub(crate) fn is_registered(self) -> bool {
        self.0 & REGISTERED != 0
    }

    /// Returns the cell in which the side has registered, or will register next.
    #[inline(always)]
    pub(crate) fn cell(self) -> CellIndex {
        if self.0 & SECOND == 0 { CellIndex::First } else { CellIndex::Second }
    }

    /// Returns the registration after the side has registered.
    #[inline(always)]
    pub(crate) fn registered(self) -> Self {
        Registration(self.0 | REGISTERED)
    }

    /// Returns the registration after the side has unregistered. It uses the same cell again.
    #[inline(always)]
    pub(crate) fn unregistered(self) -> Self {
        Registration(self.0 & !REGISTERED)
    }

    /// Returns the registration after the other side has taken the waiter. That side may still be reading it,
    /// so this side uses the other cell next.
    #[inline(always)]
    pub(crate) fn changed(self) -> Self {
        Registration(self.0 ^ (REGISTERED | SECOND))
    }
}

/// Where a side puts its waiter for the other side.
///
/// # Access
///
/// The side to which the cell belongs may touch it until it registers; then the other side may, if its step
/// finds the mark of the registration in the slot's word, until that step returns.
///
/// # Why there are two
///
/// Each side has two cells, and changes to the other cell whenever a message has taken its waiter. The sender
/// of that message may still be reading the old cell while the receiver, which was woken for no reason, has
/// taken the message and goes on. Its next registration uses the other cell:
///
/// - *It waits for the next message.* The sender that takes the waiter there has returned from the send
///   before, so the old cell is free when the waiter of this one is taken.
/// - *It is its turn to send, and it watches.* It unregisters before it sends, so its cell is free again
///   whatever the other side is doing; or the receiver takes the waiter, and after that no side uses a cell.
///   So watching never changes cells.
/// - *It has watched, has sent, and waits for the answer.* It may wait in the cell in which it watched, while
///   the old one is still being read. The answer comes from a side that has returned from its earlier send,
///   so the old cell is free when the waiter of this one is taken.
///
/// So at any time the other side reads at most one cell of a side, and that side registers next in the other
/// one.
pub(crate) struct WaiterCell {
    waiter: UnsafeCell<MaybeUninit<Waiter>>,
    access: Access,
}

// SAFETY: a cell contains a `Waiter`, which is a waker and may be used in any thread.
unsafe impl Send for WaiterCell {}
// SAFETY: the states of the word say which side may touch the cell, and its steps order the accesses; a
// `Waiter` may be used in any thread.
unsafe impl Sync for WaiterCell {}

impl WaiterCell {
    /// Makes an empty cell.
    pub(crate) fn new() -> Self {
        WaiterCell { waiter: UnsafeCell::new(MaybeUninit::uninit()), access: Access::new() }
    }

    /// Writes an empty cell into memory.
    ///
    /// # Safety
    ///
    /// The memory must be the caller's.
    #[inline(always)]
    pub(crate) unsafe fn prepare(cell: *mut WaiterCell) {
        // SAFETY: the memory of a cell is the caller's. The waiter needs no value, because `put` writes it.
        let access = unsafe { &raw mut (*cell).access };
        // SAFETY: the field lies in the memory of the caller.
        unsafe { access.write(Access::new()) };
    }

    /// Announces that the cell's memory is about to be freed, so that models check that no thread reads it.
    #[inline(always)]
    pub(crate) fn before_free(&self) {
        self.access.exclusive();
    }

    /// Puts a waiter into the cell.
    ///
    /// # Safety
    ///
    /// The cell must belong to the caller, which must not be registered in it.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, waiter: Waiter) {
        self.access.exclusive();
        // SAFETY: the caller's side is not registered in its cell, so by the access rule no other side
        // touches it.
        unsafe { *self.waiter.get() = MaybeUninit::new(waiter) };
    }

    /// Takes the waiter out.
    ///
    /// # Safety
    ///
    /// The caller's step must have found the other side registered here and removed the mark; or the cell
    /// must be the caller's, which has unregistered or was refused. The waiter must be taken only once.
    #[inline(always)]
    pub(crate) unsafe fn take(&self) -> Waiter {
        self.access.shared();
        // SAFETY: a waiter was put before the registration, and only the caller takes it. This only reads,
        // because the side to which the cell belongs may be comparing at the same time.
        let waiter = unsafe { self.waiter.get().read() };
        // SAFETY: a waiter was put before the registration, and it is taken once (caller).
        unsafe { waiter.assume_init() }
    }

    /// Returns `true` if the waiter would wake the same task.
    ///
    /// # Safety
    ///
    /// The cell must belong to the caller, which must have registered in it and put no other waiter there
    /// since.
    pub(crate) unsafe fn is(&self, waker: &Waker) -> bool {
        self.access.shared();
        // SAFETY: a waiter was put (caller). The other side may be moving it out right now; that only reads
        // as well, and comparing uses only the waker's two addresses, never what they point to.
        let waiter = unsafe { &*self.waiter.get().cast::<ManuallyDrop<Waiter>>() };
        waiter.is_of(waker)
    }
}
