//! Seats: where a side puts its waiter for the other side.

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

/// One of the two seats of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeatNumber {
    First = 0,
    Second = 1,
}

impl SeatNumber {
    pub(crate) const BOTH: [SeatNumber; 2] = [SeatNumber::First, SeatNumber::Second];
}

/// What a side remembers about its seats, in two bits: whether it has registered, and which seat it uses.
#[derive(Clone, Copy)]
pub(crate) struct Seating(usize);

const REGISTERED: usize = 1;
const SECOND: usize = 2;

impl Seating {
    /// Not registered; the first seat is used first.
    pub(crate) const NEW: Seating = Seating(0);
    /// The bits that a seating uses.
    pub(crate) const BITS: usize = REGISTERED | SECOND;

    /// The seating with these bits, which [`bits`](Seating::bits) returned.
    #[inline(always)]
    pub(crate) fn of(bits: usize) -> Self {
        Seating(bits)
    }

    /// The bits, for a side that stores them beside others.
    #[inline(always)]
    pub(crate) fn bits(self) -> usize {
        self.0
    }

    /// Has the side registered, and not unregistered since?
    #[inline(always)]
    pub(crate) fn is_registered(self) -> bool {
        self.0 & REGISTERED != 0
    }

    /// The seat in which the side has registered, or will register next.
    #[inline(always)]
    pub(crate) fn number(self) -> SeatNumber {
        if self.0 & SECOND == 0 { SeatNumber::First } else { SeatNumber::Second }
    }

    /// The seating after the side has registered.
    #[inline(always)]
    pub(crate) fn registered(self) -> Self {
        Seating(self.0 | REGISTERED)
    }

    /// The seating after the side has unregistered: it uses the same seat again.
    #[inline(always)]
    pub(crate) fn unregistered(self) -> Self {
        Seating(self.0 & !REGISTERED)
    }

    /// The seating after the other side has taken the waiter, which it may still be reading: the side uses
    /// the other seat next.
    #[inline(always)]
    pub(crate) fn changed(self) -> Self {
        Seating(self.0 ^ (REGISTERED | SECOND))
    }
}

/// Where a side puts its waiter for the other side.
///
/// # Access
///
/// The side to which the seat belongs, until it registers; then the other side if its step finds the mark,
/// until that step returns.
///
/// # Why two
///
/// Each side has two seats, and changes to the other seat whenever a message has taken its waiter. The sender
/// of that message may still be reading the old seat while the receiver, which was woken for no reason, has
/// taken the message and goes on. Its next registration uses the other seat:
///
/// - *It waits for the next message.* The sender that takes the waiter there has returned from the send
///   before, so the old seat is free when the waiter of this one is taken.
/// - *It is its turn to send, and it watches.* It unregisters before it sends, so its seat is free again
///   whatever the other side is doing; or the receiver takes the waiter, and after that no side uses a seat.
///   So watching never changes seats.
/// - *It has watched, has sent, and waits for the answer.* It may wait in the seat in which it watched, while
///   the old one is still being read. The answer comes from a side that has returned from its earlier send,
///   so the old seat is free when the waiter of this one is taken.
///
/// So at any time the other side reads at most one seat of a side, and that side registers next in the other
/// one.
pub(crate) struct Seat {
    waiter: UnsafeCell<MaybeUninit<Waiter>>,
    access: Access,
}

// SAFETY: a seat contains a `Waiter`, which is a waker and may be used in any thread.
unsafe impl Send for Seat {}
// SAFETY: the states of the word say which side may touch the seat, and its steps order the accesses; a
// `Waiter` may be used in any thread.
unsafe impl Sync for Seat {}

impl Seat {
    /// An empty seat.
    pub(crate) fn new() -> Self {
        Seat { waiter: UnsafeCell::new(MaybeUninit::uninit()), access: Access::new() }
    }

    /// Writes an empty seat into memory.
    ///
    /// # Safety
    ///
    /// The memory is the caller's.
    #[inline(always)]
    pub(crate) unsafe fn prepare(seat: *mut Seat) {
        // SAFETY: the memory of a seat is the caller's. (The waiter needs no value: `put` writes it.)
        let access = unsafe { &raw mut (*seat).access };
        // SAFETY: the field lies in the memory of the caller.
        unsafe { access.write(Access::new()) };
    }

    /// Announces that the seat's memory is about to be freed, so that models check that no thread reads it.
    #[inline(always)]
    pub(crate) fn retire(&self) {
        self.access.exclusive();
    }

    /// Puts a waiter into the seat.
    ///
    /// # Safety
    ///
    /// The seat belongs to the caller, which is not registered in it.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, waiter: Waiter) {
        self.access.exclusive();
        // SAFETY: the caller's side is not registered in its seat, so by the access rule no other side
        // touches it.
        unsafe { *self.waiter.get() = MaybeUninit::new(waiter) };
    }

    /// Takes the waiter out.
    ///
    /// # Safety
    ///
    /// The caller's step has found the other side registered here and removed the mark; or the seat is the
    /// caller's, which has unregistered or was refused. The waiter is taken once.
    #[inline(always)]
    pub(crate) unsafe fn take(&self) -> Waiter {
        self.access.shared();
        // SAFETY: a waiter was put before the registration, and only the caller takes it. This only reads,
        // because the side to which the seat belongs may be comparing at the same time.
        let waiter = unsafe { self.waiter.get().read() };
        // SAFETY: a waiter was put before the registration, and it is taken once (caller).
        unsafe { waiter.assume_init() }
    }

    /// Would the waiter wake the same task?
    ///
    /// # Safety
    ///
    /// The seat belongs to the caller, which has registered in it and has put no other waiter there since.
    pub(crate) unsafe fn is(&self, waker: &Waker) -> bool {
        self.access.shared();
        // SAFETY: a waiter was put (caller). The other side may be moving it out right now; that only reads
        // as well, and comparing uses only the waker's two addresses, never what they point to.
        let waiter = unsafe { &*self.waiter.get().cast::<ManuallyDrop<Waiter>>() };
        waiter.is_of(waker)
    }
}
