//! One side of a bounded stream: where it stands, how it waits, and how it leaves.
//!
//! What the two sides do at a slot is written where they do it, in `send` and `recv`; what they have in
//! common is here.

use super::buffer::{Buffer, Cursor, Slot};
use super::state::SlotState;
use crate::slot::seat::{Party, Seat};
use crate::slot::wait::{Taken, Waitable};
use crate::slot::waiter::Waiter;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::Waker;

/// The sender's side, as a type's parameter.
pub(super) const SENDER: bool = false;
/// The receiver's side.
pub(super) const RECEIVER: bool = true;

/// In so many slots a run of messages comes, or goes, while a side lets the other one run ahead; fewer are
/// filled and emptied sooner than that.
const LARGE: usize = 32;

/// One side's hold of a buffer, which it leaves when this is dropped. There is exactly one for each side.
pub(super) struct End<T, const SIDE: bool> {
    pub(super) buffer: NonNull<Buffer<T>>,
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: all that travels between the two ends is `T`s; each end's cursor is its own, and moves with it.
unsafe impl<T: Send, const SIDE: bool> Send for End<T, SIDE> {}
// SAFETY: a shared reference can only look at the word of the end's slot.
unsafe impl<T: Send, const SIDE: bool> Sync for End<T, SIDE> {}
impl<T, const SIDE: bool> UnwindSafe for End<T, SIDE> {}
impl<T, const SIDE: bool> RefUnwindSafe for End<T, SIDE> {}

/// Both ends of a fresh buffer.
pub(super) fn ends<T>(capacity: usize) -> (End<T, SENDER>, End<T, RECEIVER>) {
    let buffer = Buffer::fresh(capacity);
    (End { buffer, payload: PhantomData }, End { buffer, payload: PhantomData })
}

impl<T, const SIDE: bool> End<T, SIDE> {
    const PARTY: Party = if SIDE { Party::Receiver } else { Party::Sender };
    const OTHER: Party = if SIDE { Party::Sender } else { Party::Receiver };

    #[inline(always)]
    fn buffer(&self) -> &Buffer<T> {
        // SAFETY: the buffer lives until both ends are dropped.
        unsafe { self.buffer.as_ref() }
    }

    #[inline(always)]
    pub(super) fn cursor(&self) -> &Cursor {
        &self.buffer().cursors[Self::PARTY as usize]
    }

    /// The slot that the side stands at.
    #[inline(always)]
    pub(super) fn slot(&self) -> &Slot<T> {
        // SAFETY: the buffer lives, and its cursors know where slots lie.
        let slot = unsafe { Buffer::slot(self.buffer, self.cursor().at.get()) };
        // SAFETY: it was made with the buffer.
        unsafe { slot.as_ref() }
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        (self.cursor().end - Buffer::<T>::SLOTS) / size_of::<Slot<T>>()
    }

    /// What is in the side's slot?
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        self.slot().word.look()
    }

    /// To the next slot; the side sends or receives at this one. If it was registered here, its waiter was
    /// taken.
    #[inline(always)]
    pub(super) fn advance(&self) {
        let cursor = self.cursor();
        if cursor.seating.get().is_registered() {
            self.change_seats();
        }
        let next = cursor.at.get() + size_of::<Slot<T>>();
        cursor.at.set(if next == cursor.end { Buffer::<T>::SLOTS } else { next });
    }

    /// To the slot before.
    pub(super) fn go_back(&self) {
        let cursor = self.cursor();
        let next = if cursor.at.get() == Buffer::<T>::SLOTS { cursor.end } else { cursor.at.get() };
        cursor.at.set(next - size_of::<Slot<T>>());
    }

    /// The other side has taken the waiter, and may still be reading it: the next one sits in the other seat.
    #[cold]
    fn change_seats(&self) {
        let seating = &self.cursor().seating;
        seating.set(seating.get().changed());
    }

    /// The seat in which the side has registered, or will.
    fn seat(&self) -> &Seat {
        &self.buffer().seats[Self::PARTY as usize][self.cursor().seating.get().number() as usize]
    }

    /// The other side's waiter, which `found` says is there.
    ///
    /// # Safety
    ///
    /// The caller has just taken the other side's flag out of its slot's word, or closed on top of it: once.
    pub(super) unsafe fn waiter(&self, found: SlotState) -> Option<Waiter> {
        let number = found.waiter(Self::OTHER)?;
        let seat = &self.buffer().seats[Self::OTHER as usize][number as usize];
        // SAFETY: the side has found the other one registered here, once.
        Some(unsafe { seat.take() })
    }

    /// Unregisters, if the side was registered, and gives its waiter back. `Err`: the other side has it; look
    /// again.
    pub(super) fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let seating = self.cursor().seating.get();
        if !seating.is_registered() {
            return Ok(None);
        }
        if !self.slot().word.unregister(Self::PARTY, seating.number()) {
            self.change_seats();
            return Err(Taken);
        }
        self.cursor().seating.set(seating.unregistered());
        // SAFETY: the side has unregistered, so that the waiter is its own again.
        Ok(Some(unsafe { self.seat().take() }))
    }

    /// The end, as a place to wait at until this happens.
    ///
    /// It may seem to have happened when only the waiter was taken: at capacity 0 an offer may come and go.
    pub(super) fn waiting(&mut self, until: Until) -> Waiting<'_, T, SIDE> {
        Waiting { end: self, until }
    }
}

/// What a side waits for. If the other side leaves, that is the end of each wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The receiver.
    Message,
    /// The sender; at capacity 0 until its offer is taken.
    Room,
    /// The sender, for nothing but the receiver's leaving.
    Close,
}

impl Until {
    /// Has it happened?
    #[inline(always)]
    pub(super) fn has_come(self, seen: SlotState) -> bool {
        seen.is_closed()
            || match self {
                Until::Message => seen.is_full(),
                Until::Room => !seen.is_full(),
                Until::Close => false,
            }
    }
}

/// An end, as a place to wait at.
pub(super) struct Waiting<'a, T, const SIDE: bool> {
    end: &'a mut End<T, SIDE>,
    until: Until,
}

impl<T, const SIDE: bool> Waiting<'_, T, SIDE> {
    /// Is the side still registered, by what was seen in its slot?
    fn is_registered(&self, seen: SlotState) -> bool {
        let seating = self.end.cursor().seating.get();
        seating.is_registered()
            && seen.is_waiting(End::<T, SIDE>::PARTY, seating.number())
            && !seen.is_closed()
    }
}

impl<T, const SIDE: bool> Waitable for Waiting<'_, T, SIDE> {
    fn runs_ahead(&self) -> bool {
        self.end.slots() >= LARGE
    }

    fn comes_soon(&self) -> bool {
        self.until != Until::Close
    }

    /// A sender that does not wait gives its message only to a receiver that does.
    fn must_be_seen(&self) -> bool {
        self.until == Until::Message && self.end.cursor().message.is_offer()
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        let seen = self.end.look();
        self.until.has_come(seen)
            || self.end.cursor().seating.get().is_registered() && !self.is_registered(seen)
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: the side has registered in this seat, and not sat down again since.
        self.is_registered(self.end.look()) && unsafe { self.end.seat().is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let (seat, seating) = (self.end.seat(), self.end.cursor().seating.get());
        // SAFETY: the seat is this side's, and it is not registered.
        unsafe { seat.put(waiter) };
        let has_come = |seen| self.until.has_come(seen);
        if self.end.slot().word.register(End::<T, SIDE>::PARTY, seating.number(), has_come) {
            self.end.cursor().seating.set(seating.registered());
            return Ok(());
        }
        // SAFETY: it was just put there, and nobody knows of it.
        Err(unsafe { seat.take() })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        self.end.unregister()
    }
}
