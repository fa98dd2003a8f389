//! Who waits: a thread, a task, or a set that wants to know which of its members is ready.
//!
//! Blocking and async receivers differ in nothing but this. A waiter is moved out of its seat before it is woken, and it
//! is woken last, when the sender no longer touches the pipe: the woken side may free it.

use crate::sync::Access;
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::task::{Context, Waker};

/// Somebody to be told that a slot has changed. Two words, whoever it is: a waker, with a table of its own for each kind.
pub(super) struct Waiter(Waker);

impl Waiter {
    /// A thread in a wait, or a task of any executor. Cloning a task's waker is its executor's code.
    pub(super) fn of(cx: &Context<'_>) -> Self {
        Waiter(cx.waker().clone())
    }

    /// What this wakes: a task, or what has the shape of its waker.
    #[inline]
    pub(super) fn new(waker: Waker) -> Self {
        Waiter(waker)
    }

    /// The waker that it is, to be woken or dropped, and nothing else.
    pub(super) fn into_waker(self) -> Waker {
        self.0
    }

    /// Do both wake the same?
    pub(super) fn is(&self, other: &Waiter) -> bool {
        self.0.will_wake(&other.0)
    }

    /// Tells it. A task's waker is its executor's code: it may panic, or come back into this library.
    #[inline]
    pub(super) fn wake(self) {
        self.0.wake();
    }
}

/// Wakes the one that was waiting, as the last thing that a sender does.
#[inline(always)]
pub(super) fn wake(waiter: Option<Waiter>) {
    if let Some(waiter) = waiter {
        waiter.wake();
    }
}

/// Where a side leaves its waiter for the other side.
///
/// # Access
///
/// The side whose seat it is, until it registers; then the other one that finds it registered, until its step returns.
///
/// # Why two
///
/// Each side has two seats and changes to the other one whenever a message has taken a waiter from it: the sender of that message
/// may still be reading the old seat while the receiver, woken for no reason, has taken the message and goes on. What it does
/// next, it does in the other seat:
///
/// - *It waits for the next message.* Whoever takes the waiter there has returned from the send before, so the old seat is free
///   when this one is taken.
/// - *It is its turn to send, and it watches.* A watch is taken back before the send, and so its seat is free again whatever the
///   other side is doing; or the receiver takes it, which is the last that anybody does with a seat. So watching never changes
///   seats.
/// - *It has watched, and sent, and waits for the answer.* That may be in the seat that it watched from, while the old one is
///   still being read. The answer comes from a side that has returned from its earlier send, so the old seat is free when this
///   one is taken.
///
/// So at any time at most one seat of a side is in the other one's hands, and it is not the one to sit down in.
pub(super) struct Seat {
    waiter: UnsafeCell<MaybeUninit<Waiter>>,
    access: Access,
}

// SAFETY: who may touch a seat is said by the states of the word that it belongs to; a waiter may be used in any thread.
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
    /// The caller has found the other side registered here; or the seat is its own, and it has unregistered. Once.
    #[inline(always)]
    pub(super) unsafe fn take(&self) -> Waiter {
        self.access.shared();
        // SAFETY: a waiter was put before it was registered, and the caller is the only one to take it. This reads, it
        // does not write: the side that sits here may be comparing at the same time.
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
        // SAFETY: a waiter was put. The other side may be moving it out right now: that reads as well, and comparing looks only
        // at the waker's two addresses, never at what they point to.
        let waiter = unsafe { &*self.waiter.get().cast::<ManuallyDrop<Waiter>>() };
        waiter.0.will_wake(waker)
    }
}
