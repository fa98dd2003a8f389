//! One side of a bounded stream: its slot, and how it waits.
//!
//! The steps that only one side takes at a slot are in `send` and `recv`. This file has those that both sides
//! have in common.

use super::buffer::{Buffer, Cursor, Slot};
use super::state::SlotState;
use crate::wait::{EndInfo, Party, Taken, Waitable, Waiter, WaiterCell, steps, uses};
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::Waker;

/// The sender's side, as a const parameter.
pub(super) const SENDER: bool = false;
/// The receiver's side, as a const parameter.
pub(super) const RECEIVER: bool = true;

/// From this number of slots on, it pays off for a waiting side to let the other one run ahead for a moment.
/// Fewer slots are filled or emptied in less time than that.
const LARGE: usize = 32;

/// One side of a buffer, which leaves the buffer when this is dropped. There is exactly one end for each
/// side.
pub(super) struct End<T, const SIDE: bool> {
    pub(super) buffer: NonNull<Buffer<T>>,
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: an end gives its thread values of type `T` that another thread has sent, and `T: Send`. Only the
// end itself uses its cursor; the slots and cells are shared as the states of the slots say.
unsafe impl<T: Send, const SIDE: bool> Send for End<T, SIDE> {}
// SAFETY: through a shared sender or receiver a thread can only read the cursor and load the slot's word,
// which is atomic. All methods that change the cursor take the sender or receiver by `&mut self`.
unsafe impl<T: Send, const SIDE: bool> Sync for End<T, SIDE> {}
impl<T, const SIDE: bool> UnwindSafe for End<T, SIDE> {}
impl<T, const SIDE: bool> RefUnwindSafe for End<T, SIDE> {}

/// Creates both ends of a fresh buffer.
pub(super) fn ends<T>(capacity: usize) -> (End<T, SENDER>, End<T, RECEIVER>) {
    let buffer = Buffer::fresh(capacity);
    uses::made(buffer.addr().get(), const { &EndInfo::receiver::<T>("Port") });
    steps::made::<T>(buffer.addr().get(), "bounded stream");
    (End { buffer, payload: PhantomData }, End { buffer, payload: PhantomData })
}

impl<T, const SIDE: bool> End<T, SIDE> {
    pub(super) const PARTY: Party = if SIDE { Party::Receiver } else { Party::Sender };
    const OTHER: Party = if SIDE { Party::Sender } else { Party::Receiver };

    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        self.buffer.addr().get()
    }

    #[inline(always)]
    pub(super) fn buffer(&self) -> &Buffer<T> {
        // SAFETY: the buffer lives until both ends have left, and this end leaves when it is dropped.
        unsafe { self.buffer.as_ref() }
    }

    #[inline(always)]
    pub(super) fn cursor(&self) -> &Cursor {
        &self.buffer().cursors[Self::PARTY as usize]
    }

    /// Returns the slot at which the side stands.
    #[inline(always)]
    pub(super) fn slot(&self) -> &Slot<T> {
        uses::used(self.channel(), Self::PARTY as usize);
        // SAFETY: the buffer lives until both ends have left, and a cursor always contains the offset of a
        // slot.
        let slot = unsafe { Buffer::slot(self.buffer, self.cursor().at.get()) };
        // SAFETY: the slot was written when the buffer was made, and it lives as long as the buffer.
        unsafe { slot.as_ref() }
    }

    /// Returns the number of slots, which is the capacity.
    pub(super) fn slots(&self) -> usize {
        (self.cursor().end - Buffer::<T>::SLOTS) / size_of::<Slot<T>>()
    }

    /// Loads the word of the side's slot.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        self.slot().word.look()
    }

    /// Moves to the next slot, after the side has sent or received at this one. If it was registered here,
    /// its waiter was taken.
    #[inline(always)]
    pub(super) fn advance(&self) {
        let cursor = self.cursor();
        if cursor.registration.get().is_registered() {
            self.change_cells();
        }
        let next = cursor.at.get() + size_of::<Slot<T>>();
        cursor.at.set(if next == cursor.end { Buffer::<T>::SLOTS } else { next });
    }

    /// Moves on by this number of slots, after the side has sent or received there. If it was registered at
    /// the first of them, its waiter was taken. The number is at least 1, and at most that of all slots.
    pub(super) fn advance_by(&self, slots: usize) {
        let cursor = self.cursor();
        if cursor.registration.get().is_registered() {
            self.change_cells();
        }
        cursor.at.set(self.behind(slots));
    }

    /// Moves to the previous slot, after a send that has failed.
    pub(super) fn go_back(&self) {
        steps::take_back(1);
        let cursor = self.cursor();
        cursor.at.set(self.behind(self.slots() - 1));
    }

    /// Returns the offset of the slot that comes this number of places behind the side's own, in the ring.
    /// The number is at most that of all slots.
    #[inline(always)]
    fn behind(&self, slots: usize) -> usize {
        let cursor = self.cursor();
        let at = cursor.at.get() + slots * size_of::<Slot<T>>();
        if at < cursor.end { at } else { at - cursor.end + Buffer::<T>::SLOTS }
    }

    /// Returns the slot that comes this number of places behind the side's own, in the ring. The number is at
    /// most that of all slots.
    #[inline(always)]
    pub(super) fn slot_behind(&self, slots: usize) -> &Slot<T> {
        // SAFETY: the buffer lives until both ends have left, and `behind` returns the offset of a slot.
        let slot = unsafe { Buffer::slot(self.buffer, self.behind(slots)) };
        // SAFETY: the slot was written when the buffer was made, and it lives as long as the buffer.
        unsafe { slot.as_ref() }
    }

    /// Changes to the other cell, because the other side has taken the waiter and may still be reading it.
    #[cold]
    fn change_cells(&self) {
        let registration = &self.cursor().registration;
        registration.set(registration.get().changed());
    }

    /// Returns the cell in which the side has registered, or will register next.
    fn cell(&self) -> &WaiterCell {
        &self.buffer().cells[Self::PARTY as usize][self.cursor().registration.get().cell() as usize]
    }

    /// Takes the other side's waiter, if `found` says that there is one.
    ///
    /// # Safety
    ///
    /// The caller's step must just have removed the other side's flag from its slot's word, or closed the
    /// slot, and `found` must be what it found. The waiter must be taken only once.
    pub(super) unsafe fn waiter(&self, found: SlotState) -> Option<Waiter> {
        let number = found.waiter(Self::OTHER)?;
        let cell = &self.buffer().cells[Self::OTHER as usize][number as usize];
        // SAFETY: the caller's step has found the other side registered in this cell, and removed its flag or
        // closed the slot (caller).
        Some(unsafe { cell.take() })
    }

    /// Unregisters the side, if it was registered, and returns its waiter. Returns `Err` if the other side
    /// has the waiter, so that this side has to look again.
    pub(super) fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let registration = self.cursor().registration.get();
        if !registration.is_registered() {
            return Ok(None);
        }
        if !self.slot().word.unregister(Self::PARTY, registration.cell()) {
            self.change_cells();
            return Err(Taken);
        }
        self.cursor().registration.set(registration.unregistered());
        // SAFETY: the side was registered in this cell and has unregistered, so the waiter is its own again.
        Ok(Some(unsafe { self.cell().take() }))
    }

    /// Returns the end as one that waits until this happens.
    pub(super) fn waiting(&mut self, until: Until) -> Waiting<'_, T, SIDE> {
        Waiting { end: self, until }
    }
}

/// What a side waits for. Each wait also ends when the other side leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The receiver waits for a message.
    Message,
    /// The sender waits for room.
    Room,
    /// The sender waits only for the receiver to leave.
    Close,
}

impl Until {
    /// Returns `true` if it has happened.
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

/// An end that waits.
pub(super) struct Waiting<'a, T, const SIDE: bool> {
    end: &'a mut End<T, SIDE>,
    until: Until,
}

impl<T, const SIDE: bool> Waiting<'_, T, SIDE> {
    /// Returns `true` if `seen`, the state of its slot, says that the side is still registered.
    fn is_registered(&self, seen: SlotState) -> bool {
        let registration = self.end.cursor().registration.get();
        registration.is_registered()
            && seen.is_waiting(End::<T, SIDE>::PARTY, registration.cell())
            && !seen.is_closed()
    }
}

impl<T, const SIDE: bool> Waitable for Waiting<'_, T, SIDE> {
    fn channel(&self) -> usize {
        self.end.channel()
    }

    fn most_in_a_row(&self) -> usize {
        if self.end.slots() >= LARGE { self.end.slots() } else { 1 }
    }

    /// Also returns `false` if the other side has come all the way round the buffer, because it waits then.
    fn have_come(&self, messages: usize) -> bool {
        messages < self.end.slots() - 1 && self.until.has_come(self.end.slot_behind(messages).word.look())
    }

    fn comes_soon(&self) -> bool {
        self.until != Until::Close
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        let seen = self.end.look();
        self.until.has_come(seen)
            || self.end.cursor().registration.get().is_registered() && !self.is_registered(seen)
    }

    #[inline(always)]
    fn is_ready(&self) -> bool {
        self.until.has_come(self.end.look())
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: the word says that the side is registered in this cell, and it has put no other waiter
        // there since.
        self.is_registered(self.end.look()) && unsafe { self.end.cell().is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let (cell, registration) = (self.end.cell(), self.end.cursor().registration.get());
        assert!(!registration.is_registered(), "one waiter at a time");
        // SAFETY: the cell is one of this side's own, and the side is not registered.
        unsafe { cell.put(waiter) };
        let has_come = |seen| self.until.has_come(seen);
        if self.end.slot().word.register(End::<T, SIDE>::PARTY, registration.cell(), has_come) {
            self.end.cursor().registration.set(registration.registered());
            return Ok(());
        }
        // SAFETY: the waiter was just put there, and the registration was refused, so the cell is still the
        // side's own.
        Err(unsafe { cell.take() })
    }

    /// The other side may have taken the waiter of an earlier wait, which was for something else.
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        self.end.unregister().or_else(|Taken| if self.is_ready() { Err(Taken) } else { Ok(None) })
    }
}
