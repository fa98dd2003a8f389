//! Seats: where a side leaves its waiter for the other side.

use super::waiter::Waiter;
use crate::sync::Access;
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::task::Waker;

/// The two parties at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Party {
    Sender = 0,
    Receiver = 1,
}

/// One of the two seats of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatNumber {
    First = 0,
    Second = 1,
}

impl SeatNumber {
    pub(super) const BOTH: [SeatNumber; 2] = [SeatNumber::First, SeatNumber::Second];
}

/// What a side remembers of its seats: whether it has registered, and which seat it uses. Two bits.
#[derive(Clone, Copy)]
pub(super) struct Seating(usize);

const REGISTERED: usize = 1;
const SECOND: usize = 2;

impl Seating {
    /// Not registered; the first seat is used first.
    pub(super) const NEW: Seating = Seating(0);
    /// The bits of a seating.
    pub(super) const BITS: usize = REGISTERED | SECOND;

    /// A seating of the bits that [`bits`](Seating::bits) gave.
    #[inline(always)]
    pub(super) fn of(bits: usize) -> Self {
        Seating(bits)
    }

    /// For a side that keeps them beside others.
    #[inline(always)]
    pub(super) fn bits(self) -> usize {
        self.0
    }

    /// Has the side registered, and not unregistered since?
    #[inline(always)]
    pub(super) fn is_registered(self) -> bool {
        self.0 & REGISTERED != 0
    }

    /// The seat in which the side has registered, or will.
    #[inline(always)]
    pub(super) fn number(self) -> SeatNumber {
        if self.0 & SECOND == 0 { SeatNumber::First } else { SeatNumber::Second }
    }

    /// After the side has registered.
    #[inline(always)]
    pub(super) fn registered(self) -> Self {
        Seating(self.0 | REGISTERED)
    }

    /// After the side has unregistered: it uses the same seat again.
    #[inline(always)]
    pub(super) fn unregistered(self) -> Self {
        Seating(self.0 & !REGISTERED)
    }

    /// After the other side has taken the waiter, which it may still be reading: the side uses the other seat
    /// next.
    #[inline(always)]
    pub(super) fn changed(self) -> Self {
        Seating(self.0 ^ (REGISTERED | SECOND))
    }
}

/// Where a side leaves its waiter for the other side.
///
/// # Access
///
/// The side whose seat it is, until it registers; then the other one that finds it registered, until its step
/// returns.
///
/// # Why two
///
/// Each side has two seats and changes to the other one whenever a message has taken a waiter from it: the
/// sender of that message may still be reading the old seat while the receiver, woken for no reason, has
/// taken the message and goes on. What it does next, it does in the other seat:
///
/// - *It waits for the next message.* Whoever takes the waiter there has returned from the send before, so
///   the old seat is free when this one is taken.
/// - *It is its turn to send, and it watches.* A watch is taken back before the send, and so its seat is free
///   again whatever the other side is doing; or the receiver takes it, which is the last that anybody does
///   with a seat. So watching never changes seats.
/// - *It has watched, and sent, and waits for the answer.* That may be in the seat that it watched from,
///   while the old one is still being read. The answer comes from a side that has returned from its earlier
///   send, so the old seat is free when this one is taken.
///
/// So at any time at most one seat of a side is in the other one's hands, and it is not the one to sit down
/// in.
pub(super) struct Seat {
    waiter: UnsafeCell<MaybeUninit<Waiter>>,
    access: Access,
}

// SAFETY: who may touch a seat is said by the states of the word that it belongs to; a waiter may be used in
// any thread.
unsafe impl Send for Seat {}
// SAFETY: as above.
unsafe impl Sync for Seat {}

impl Seat {
    /// An empty seat.
    pub(super) fn new() -> Self {
        Seat { waiter: UnsafeCell::new(MaybeUninit::uninit()), access: Access::new() }
    }

    /// Makes memory an empty seat.
    ///
    /// # Safety
    ///
    /// The memory is the caller's.
    #[inline(always)]
    pub(super) unsafe fn prepare(seat: *mut Seat) {
        // SAFETY: the caller's memory. A waiter is written when somebody sits down.
        let access = unsafe { &raw mut (*seat).access };
        // SAFETY: as above.
        unsafe { access.write(Access::new()) };
    }

    /// The seat's memory is about to be freed: the model checks that nobody reads it.
    #[inline(always)]
    pub(super) fn retire(&self) {
        self.access.exclusive();
    }

    /// Sits down.
    ///
    /// # Safety
    ///
    /// The seat is the caller's, which is not registered in it.
    #[inline(always)]
    pub(super) unsafe fn put(&self, waiter: Waiter) {
        self.access.exclusive();
        // SAFETY: by the access rule the seat is the caller's alone.
        unsafe { *self.waiter.get() = MaybeUninit::new(waiter) };
    }

    /// Takes the waiter out.
    ///
    /// # Safety
    ///
    /// The caller has found the other side registered here; or the seat is its own, and it has unregistered.
    /// Once.
    #[inline(always)]
    pub(super) unsafe fn take(&self) -> Waiter {
        self.access.shared();
        // SAFETY: a waiter was put before it was registered, and the caller is the only one to take it. This
        // reads, it does not write: the side that sits here may be comparing at the same time.
        let waiter = unsafe { self.waiter.get().read() };
        // SAFETY: as above, it was put.
        unsafe { waiter.assume_init() }
    }

    /// Would the waiter wake the same task?
    ///
    /// # Safety
    ///
    /// The seat is the caller's, which has registered in it and not sat down again since.
    pub(super) unsafe fn is(&self, waker: &Waker) -> bool {
        self.access.shared();
        // SAFETY: a waiter was put. The other side may be moving it out right now: that reads as well, and
        // comparing looks only at the waker's two addresses, never at what they point to.
        let waiter = unsafe { &*self.waiter.get().cast::<ManuallyDrop<Waiter>>() };
        waiter.is_of(waker)
    }
}
