//! One side of a bounded stream: where it stands, how it waits, and how it leaves.
//!
//! What the two sides do at a slot is written where they do it, in `send` and `recv`; what they have in common is here.

use super::queue::{Desk, Queue, Slot};
use super::state::{Side, Spot, State};
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

/// In so many slots a run of messages comes, or goes, while a side lets the other one run ahead; fewer are filled and emptied
/// sooner than that.
const LARGE: usize = 32;

/// One side's hold of a queue, which it leaves when this is dropped. There is exactly one for each side.
pub(super) struct End<T, const SIDE: bool> {
    pub(super) queue: NonNull<Queue<T>>,
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: all that travels between the two ends is `T`s; each end's desk is its own, and moves with it.
unsafe impl<T: Send, const SIDE: bool> Send for End<T, SIDE> {}
// SAFETY: a shared reference can only look at the word of the end's slot.
unsafe impl<T: Send, const SIDE: bool> Sync for End<T, SIDE> {}
impl<T, const SIDE: bool> UnwindSafe for End<T, SIDE> {}
impl<T, const SIDE: bool> RefUnwindSafe for End<T, SIDE> {}

/// Both ends of a fresh queue.
pub(super) fn ends<T>(capacity: usize) -> (End<T, SENDER>, End<T, RECEIVER>) {
    let queue = Queue::fresh(capacity);
    (End { queue, payload: PhantomData }, End { queue, payload: PhantomData })
}

impl<T, const SIDE: bool> End<T, SIDE> {
    const SIDE: Side = if SIDE { Side::Receiver } else { Side::Sender };
    const OTHER: Side = if SIDE { Side::Sender } else { Side::Receiver };

    #[inline(always)]
    fn queue(&self) -> &Queue<T> {
        // SAFETY: the queue lives until both ends are dropped.
        unsafe { self.queue.as_ref() }
    }

    #[inline(always)]
    pub(super) fn desk(&self) -> &Desk {
        &self.queue().desks[Self::SIDE as usize]
    }

    /// The slot that the side stands at.
    #[inline(always)]
    pub(super) fn slot(&self) -> &Slot<T> {
        // SAFETY: the queue lives, and its desks know where slots lie.
        let slot = unsafe { Queue::slot(self.queue, self.desk().at.get()) };
        // SAFETY: it was made with the queue.
        unsafe { slot.as_ref() }
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        (self.desk().end - Queue::<T>::SLOTS) / size_of::<Slot<T>>()
    }

    /// What is in the side's slot?
    #[inline(always)]
    pub(super) fn look(&self) -> State {
        self.slot().word.look()
    }

    /// To the next slot; the side sends or receives at this one. If it was registered here, its waiter was taken.
    #[inline(always)]
    pub(super) fn advance(&self) {
        let desk = self.desk();
        if desk.seated.get() {
            self.change_seats();
        }
        let next = desk.at.get() + size_of::<Slot<T>>();
        desk.at.set(if next == desk.end { Queue::<T>::SLOTS } else { next });
    }

    /// To the slot before.
    pub(super) fn go_back(&self) {
        let desk = self.desk();
        let next = if desk.at.get() == Queue::<T>::SLOTS { desk.end } else { desk.at.get() };
        desk.at.set(next - size_of::<Slot<T>>());
    }

    /// The other side has taken the waiter, and may still be reading it: the next one sits in the other seat.
    #[cold]
    fn change_seats(&self) {
        let desk = self.desk();
        desk.seated.set(false);
        desk.second.set(!desk.second.get());
    }

    /// Which seat to sit down in, or to look for oneself.
    fn spot(&self) -> Spot {
        if self.desk().second.get() { Spot::Second } else { Spot::First }
    }

    /// The other side's waiter, which `found` says is there.
    ///
    /// # Safety
    ///
    /// The caller has just taken the other side's flag out of its slot's word, or closed on top of it: once.
    pub(super) unsafe fn waiter(&self, found: State) -> Option<Waiter> {
        let spot = found.waiter(Self::OTHER)?;
        let seat = &self.queue().seats[Self::OTHER as usize][spot as usize];
        // SAFETY: the side has found the other one registered here, once.
        Some(unsafe { seat.take() })
    }

    /// Unregisters, if the side was registered, and gives its waiter back. `Err`: the other side has it; look again.
    pub(super) fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        if !self.desk().seated.get() {
            return Ok(None);
        }
        let spot = self.spot();
        if !self.slot().word.unregister(Self::SIDE, spot) {
            self.change_seats();
            return Err(Taken);
        }
        self.desk().seated.set(false);
        let seat = &self.queue().seats[Self::SIDE as usize][spot as usize];
        // SAFETY: the side has unregistered, so that the waiter is its own again.
        Ok(Some(unsafe { seat.take() }))
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
    pub(super) fn has_come(self, seen: State) -> bool {
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
    fn is_waiting(&self, seen: State) -> bool {
        let side = End::<T, SIDE>::SIDE;
        self.end.desk().seated.get() && seen.is_waiting(side, self.end.spot()) && !seen.is_closed()
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
        self.until == Until::Message && self.end.desk().message.is_offer()
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        let seen = self.end.look();
        self.until.has_come(seen) || self.end.desk().seated.get() && !self.is_waiting(seen)
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        let seat = &self.end.queue().seats[End::<T, SIDE>::SIDE as usize][self.end.spot() as usize];
        // SAFETY: the side has registered in this seat, and not sat down again since.
        self.is_waiting(self.end.look()) && unsafe { seat.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let (side, spot) = (End::<T, SIDE>::SIDE, self.end.spot());
        let seat = &self.end.queue().seats[side as usize][spot as usize];
        // SAFETY: the seat is this side's, and it is not registered.
        unsafe { seat.put(waiter) };
        if self.end.slot().word.register(side, spot, |seen| self.until.has_come(seen)) {
            self.end.desk().seated.set(true);
            return Ok(());
        }
        // SAFETY: it was just put there, and nobody knows of it.
        Err(unsafe { seat.take() })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        self.end.unregister()
    }
}
