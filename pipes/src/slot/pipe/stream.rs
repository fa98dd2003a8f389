//! Typed halves for streams: every message is a `T`.
//!
//! The receiver knows the type of the payload without asking the message, which saves a call. Apart from
//! that, these are the slots of any protocol.

use super::half::{Half, Side};
use super::message::{Head, Then};
use super::policy::{Chain, kind};
use super::send::refused;
use super::state::SlotState;
use crate::slot::outgoing::Outgoing;
use crate::slot::received::Received;
use crate::wait::{Waitable, wake};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::num::NonZero;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

/// The memory of a stream of `T`.
type Unbounded<T> = Chain<T>;

/// A half that is live until this is dropped, which closes it.
///
/// [`unbounded`] and `once` alone make halves, so each wrapper knows the kind of its pipe and whether its
/// half sends: [`Sender`] and [`Receiver`] have `Unbounded<T>`, `SenderOnce` and `ReceiverOnce` have
/// `Once<T>`.
pub(super) struct OwnedHalf<T> {
    pub(super) half: Half,
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: a half gives its thread values of type `T` that another thread has sent, and nothing else. They may
// change threads, because `T: Send`.
unsafe impl<T: Send> Send for OwnedHalf<T> {}
// SAFETY: through a shared reference a thread can only load the slot's word, which is atomic.
unsafe impl<T: Send> Sync for OwnedHalf<T> {}
impl<T> UnwindSafe for OwnedHalf<T> {}
impl<T> RefUnwindSafe for OwnedHalf<T> {}

impl<T> Drop for OwnedHalf<T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the owner is being dropped, so one copy of its half remains.
        let half = unsafe { self.half.duplicate() };
        // SAFETY: the owner's half is live.
        unsafe { half.close() };
    }
}

impl<T> OwnedHalf<T> {
    pub(super) fn new(half: Half) -> Self {
        OwnedHalf { half, payload: PhantomData }
    }

    /// The half, without closing it.
    #[inline(always)]
    pub(super) fn into_half(self) -> Half {
        // SAFETY: `self` is neither used nor dropped after this, so one copy of the half remains.
        unsafe { ManuallyDrop::new(self).half.duplicate() }
    }
}

/// The sending half of a stream. It is `None` after it has found that the receiver has left.
pub(crate) struct Sender<T>(Option<OwnedHalf<T>>);

/// The receiving half of a stream. It is `None` after it has found that the sender has left.
pub(crate) struct Receiver<T>(Option<OwnedHalf<T>>);

/// Both halves of a fresh stream.
pub(crate) fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = Half::new_pair(kind::<Unbounded<T>>(), Side::Client);
    (Sender(Some(OwnedHalf::new(sender))), Receiver(Some(OwnedHalf::new(receiver))))
}

impl<T> Sender<T> {
    /// Sends; the value comes back if the receiver has left.
    #[inline]
    pub(crate) fn send(&mut self, value: T) -> Result<(), T> {
        let Some(own) = &mut self.0 else { return Err(value) };
        if own.half.registration().is_registered() {
            // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind.
            unsafe { own.half.stop_watching(kind::<Unbounded<T>>()) };
        }
        let head: &'static Head = const { &Head::of_value::<T>(Then::Again) };
        let mut back = MaybeUninit::uninit();
        // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind, in which a `T` fits. It
        // does not watch, `head` describes a `T`, and `back` has room for one.
        match unsafe {
            own.half.send(kind::<Unbounded<T>>(), value, head, NonNull::from(&mut back).cast::<T>())
        } {
            Ok(None) => Ok(()),
            Ok(waiter) => {
                wake(waiter);
                Ok(())
            }
            Err(waiter) => {
                // The half left when it found the receiver gone. It is forgotten before the waiter is woken,
                // because waking may panic.
                std::mem::forget(self.0.take());
                // SAFETY: the send has failed, and this is its `back`.
                Err(unsafe { refused(back, waiter) })
            }
        }
    }

    /// Sends all of the values, in runs. False: the receiver has left, and those that are left were not sent.
    pub(crate) fn send_all(&mut self, values: &mut Outgoing<'_, T>) -> bool {
        while values.left() > 0 {
            let Some(own) = &mut self.0 else { return false };
            if own.half.registration().is_registered() {
                // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind.
                unsafe { own.half.stop_watching(kind::<Unbounded<T>>()) };
            }
            let head: &'static Head = const { &Head::of_value::<T>(Then::Again) };
            // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind, which has blocks and
            // in which a `T` fits. It does not watch, `head` describes a `T`, and a value is left.
            match unsafe { own.half.send_run(kind::<Unbounded<T>>(), values, head) } {
                Ok(waiter) => wake(waiter),
                Err(waiter) => {
                    // The half left when it found the receiver gone, as in `send`.
                    std::mem::forget(self.0.take());
                    wake(waiter);
                    return false;
                }
            }
        }
        true
    }

    /// Has the receiver left?
    pub(crate) fn receiver_has_left(&self) -> bool {
        // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind.
        self.0.as_ref().is_none_or(|own| unsafe { own.half.is_abandoned(kind::<Unbounded<T>>()) })
    }

    /// What the sender waits for when it watches: that the receiver has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        // SAFETY: the half is live and sends, and `Unbounded<T>` is its pipe's kind.
        self.0.as_mut().map(|own| unsafe { own.half.watching(kind::<Unbounded<T>>()) })
    }

    /// Leaves.
    pub(crate) fn close(&mut self) {
        self.0 = None;
    }
}

impl<T> Receiver<T> {
    /// The next value, if it is there.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        let Some(own) = &mut self.0 else { return Received::Closed };
        // SAFETY: the half is live and receives, and `Unbounded<T>` is its pipe's kind.
        let (here, found) = unsafe { own.half.look_here(kind::<Unbounded<T>>()) };
        match found {
            SlotState::Full(_) => {
                // SAFETY: the half has just seen its slot, `here`, full. Each payload is a `T`, and no
                // message is the last.
                Received::Message(unsafe { own.half.take_from(here, kind::<Unbounded<T>>()) })
            }
            SlotState::Closed => {
                self.end();
                Received::Closed
            }
            SlotState::Empty | SlotState::Marked(_) => Received::Nothing(()),
        }
    }

    /// The next value, if it is there. The end is left for [`take`](Self::take).
    #[inline(always)]
    pub(crate) fn take_value(&mut self) -> Option<T> {
        let own = self.0.as_mut()?;
        // SAFETY: the half is live and receives, and `Unbounded<T>` is its pipe's kind.
        let (here, found) = unsafe { own.half.look_here(kind::<Unbounded<T>>()) };
        let SlotState::Full(_) = found else { return None };
        // SAFETY: the half has just seen its slot, `here`, full. Each payload is a `T`, and no message is the
        // last.
        Some(unsafe { own.half.take_from(here, kind::<Unbounded<T>>()) })
    }

    /// Puts the next value into a place, if it is there.
    pub(crate) fn take_into(&mut self, into: &mut Option<T>) -> Received<(), ()> {
        match (self.peek(), &mut self.0) {
            (Some(true), Some(own)) => {
                // SAFETY: the half has just seen its slot full. Each payload is a `T`, and no message is the
                // last.
                *into = Some(unsafe { own.half.take(kind::<Unbounded<T>>()) });
                Received::Message(())
            }
            (None, _) => Received::Nothing(()),
            _ => {
                self.end();
                Received::Closed
            }
        }
    }

    /// The sender has left.
    #[cold]
    fn end(&mut self) {
        self.0 = None;
    }

    /// Appends the values that are there, at most `limit` of them.
    pub(crate) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        let mut left = limit.get();
        while left > 0 {
            let Some(own) = &mut self.0 else { return Received::Closed };
            // SAFETY: the half is live and receives, and `Unbounded<T>` is its pipe's kind, which has blocks.
            // Each payload is a `T`, no message is the last, and the limit is not 0.
            match unsafe { own.half.receive_run(kind::<Unbounded<T>>(), into, left) } {
                Ok(count) => left -= count,
                Err(_) if left < limit.get() => break,
                Err(SlotState::Closed) => {
                    self.0 = None;
                    return Received::Closed;
                }
                Err(_) => return Received::Nothing(()),
            }
        }
        Received::Message(())
    }

    /// Leaves, and appends the values that were sent and not received. A sender that watches is woken last.
    pub(crate) fn leave(mut self, into: &mut Vec<T>) {
        let kind = kind::<Unbounded<T>>();
        let Some(own) = &mut self.0 else { return };
        // SAFETY: the half is live and receives, and `kind` is its pipe's.
        let _waiter = unsafe { own.half.stop_receiving(kind) };
        loop {
            self.take_run(into, NonZero::<usize>::MAX);
            into.reserve(1);
            let Some(own) = self.0.take() else { return };
            let mut half = own.into_half();
            // SAFETY: the half is live and receives, it has stopped, and `kind` is its pipe's.
            if unsafe { half.leave_or_find(kind) }.is_none() {
                return;
            }
            // SAFETY: the half has found its slot full. Each payload is a `T`, and no message is the last.
            into.push(unsafe { half.take(kind) });
            self.0 = Some(OwnedHalf::new(half));
        }
    }

    /// What the receiver waits for: that [`take`](Self::take) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        // SAFETY: the half is live and receives, and `Unbounded<T>` is its pipe's kind.
        self.0.as_mut().map(|own| unsafe { own.half.receiving(kind::<Unbounded<T>>()) })
    }

    /// Was the sender seen to have left?
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_none()
    }

    /// Is a value there (`Some(true)`), or has the sender left (`Some(false)`)?
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<bool> {
        let Some(own) = &self.0 else { return Some(false) };
        // SAFETY: the half is live and receives, and `Unbounded<T>` is its pipe's kind.
        match unsafe { own.half.look(kind::<Unbounded<T>>()) } {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Marked(_) => None,
        }
    }
}
