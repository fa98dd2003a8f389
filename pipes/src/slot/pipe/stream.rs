//! Typed halves for streams: every message is a `T`.
//!
//! The receiver knows the type of the payload without asking the message, which saves a call. Apart from
//! that, these are the slots of any protocol.

use super::half::{Half, Side};
use super::message::{Head, Then};
use super::policy::Chain;
use super::send::failed_send;
use super::state::SlotState;
use crate::slot::outgoing::Outgoing;
use crate::slot::received::Received;
use crate::wait::{EndInfo, Waitable, steps, wake};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::num::NonZero;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

/// The memory of a stream of `T`.
type Unbounded<T> = Chain<T>;

/// A half that closes when it is dropped, and whose messages are values of type `T`.
///
/// [`unbounded`] and `once` alone make these halves, so each wrapper knows whether its half sends, whether
/// its pipe has blocks, and that a `T` fits the slots.
pub(super) struct OwnedHalf<T, M = Unbounded<T>> {
    pub(super) half: Half<M>,
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: a half gives its thread values of type `T` that another thread has sent, and nothing else. They may
// change threads, because `T: Send`.
unsafe impl<T: Send, M> Send for OwnedHalf<T, M> {}
// SAFETY: through a shared reference a thread can only load the slot's word, which is atomic.
unsafe impl<T: Send, M> Sync for OwnedHalf<T, M> {}
impl<T, M> UnwindSafe for OwnedHalf<T, M> {}
impl<T, M> RefUnwindSafe for OwnedHalf<T, M> {}

impl<T, M> Drop for OwnedHalf<T, M> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the owner is being dropped, so one copy of its half remains.
        let half = unsafe { self.half.duplicate() };
        half.into_erased().close();
    }
}

impl<T, M> OwnedHalf<T, M> {
    pub(super) fn new(half: Half<M>) -> Self {
        OwnedHalf { half, payload: PhantomData }
    }

    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        self.half.channel()
    }

    /// Returns the half, without closing it.
    #[inline(always)]
    pub(super) fn into_half(self) -> Half<M> {
        // SAFETY: `self` is neither used nor dropped after this, so one copy of the half remains.
        unsafe { ManuallyDrop::new(self).half.duplicate() }
    }
}

/// The sending half of a stream. It is `None` after it has found that the receiver has left.
pub(crate) struct Sender<T>(Option<OwnedHalf<T>>);

/// The receiving half of a stream. It is `None` after it has found that the sender has left.
pub(crate) struct Receiver<T>(Option<OwnedHalf<T>>);

/// Creates a stream, and returns both of its halves.
pub(crate) fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) =
        Half::<Unbounded<T>>::new_pair(Side::Client, const { &EndInfo::receiver::<T>("Port") });
    steps::made::<T>(sender.channel(), "stream");
    (Sender(Some(OwnedHalf::new(sender))), Receiver(Some(OwnedHalf::new(receiver))))
}

impl<T> Sender<T> {
    /// Sends a value.
    ///
    /// # Errors
    ///
    /// Returns the value if the receiver has left.
    // Without this it remains a call in other crates, which took a tenth of a stage of a pipeline. In a debug
    // build, each function that is inlined takes room for one more value on the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn send(&mut self, value: T) -> Result<(), T> {
        let Some(own) = &mut self.0 else { return Err(value) };
        if own.half.registration().is_registered() {
            // SAFETY: the half sends.
            unsafe { own.half.erased_mut().stop_watching() };
        }
        let head: &'static Head = const { &Head::of_value::<T>(Then::Again) };
        steps::sends::<T>(own.half.channel(), own.half.side(), || own.half.place());
        let mut back = MaybeUninit::uninit();
        // SAFETY: the half sends, and it does not watch. `head` describes a `T`, which fits the slots, and
        // `back` has room for one.
        match unsafe { own.half.send(value, head, NonNull::from(&mut back).cast::<T>()) } {
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
                Err(unsafe { failed_send(back, waiter) })
            }
        }
    }

    /// Sends all of the values, in runs. Returns `false` if the receiver has left; the values that are left
    /// were not sent.
    pub(crate) fn send_all(&mut self, values: &mut Outgoing<'_, T>) -> bool {
        while values.left() > 0 {
            let Some(own) = &mut self.0 else { return false };
            if own.half.registration().is_registered() {
                // SAFETY: the half sends.
                unsafe { own.half.erased_mut().stop_watching() };
            }
            let head: &'static Head = const { &Head::of_value::<T>(Then::Again) };
            // SAFETY: the half sends, it does not watch, and its pipe has blocks. `head` describes a `T`,
            // which fits the slots, and a value is left.
            match unsafe { own.half.send_run(values, head) } {
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

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.as_ref().map_or(0, OwnedHalf::channel)
    }

    /// Returns `true` if the receiver has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.as_ref().is_none_or(|own| own.half.is_abandoned())
    }

    /// Returns what the sender waits for when it watches, which is that the receiver has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        // SAFETY: the half is live and sends.
        self.0.as_mut().map(|own| unsafe { own.half.watching() })
    }

    /// Leaves.
    pub(crate) fn close(&mut self) {
        self.0 = None;
    }
}

impl<T> Receiver<T> {
    /// Takes the next value, if it is there.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        let Some(own) = &mut self.0 else { return Received::Closed };
        let (here, found) = own.half.look_here();
        match found {
            SlotState::Full(_) => {
                steps::receives::<T>(own.half.channel(), own.half.side(), || here.addr().get());
                // SAFETY: the half has just seen its slot, `here`, full. Each payload is a `T`, and no
                // message is the last.
                Received::Message(unsafe { own.half.take_from(here) })
            }
            SlotState::Closed => {
                self.end();
                Received::Closed
            }
            SlotState::Empty | SlotState::Marked(_) => Received::Nothing(()),
        }
    }

    /// Takes the next value, if it is there. The end is left for [`take`](Self::take).
    #[inline(always)]
    pub(crate) fn take_value(&mut self) -> Option<T> {
        let own = self.0.as_mut()?;
        let (here, found) = own.half.look_here();
        let SlotState::Full(_) = found else { return None };
        steps::receives::<T>(own.half.channel(), own.half.side(), || here.addr().get());
        // SAFETY: the half has just seen its slot, `here`, full. Each payload is a `T`, and no message is the
        // last.
        Some(unsafe { own.half.take_from(here) })
    }

    /// Puts the next value into a place, if it is there.
    pub(crate) fn take_into(&mut self, into: &mut Option<T>) -> Received<(), ()> {
        match (self.peek(), &mut self.0) {
            (Some(true), Some(own)) => {
                steps::receives::<T>(own.half.channel(), own.half.side(), || own.half.place());
                // SAFETY: the half has just seen its slot full. Each payload is a `T`, and no message is the
                // last.
                *into = Some(unsafe { own.half.take() });
                Received::Message(())
            }
            (None, _) => Received::Nothing(()),
            _ => {
                self.end();
                Received::Closed
            }
        }
    }

    /// Leaves, after the sender has left.
    #[cold]
    fn end(&mut self) {
        self.0 = None;
    }

    /// Appends the values that are there, at most `limit` of them.
    pub(crate) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        let mut left = limit.get();
        while left > 0 {
            let Some(own) = &mut self.0 else { return Received::Closed };
            // SAFETY: the half receives, and its pipe has blocks. Each payload is a `T`, no message is the
            // last, and the limit is not 0.
            match unsafe { own.half.receive_run(into, left) } {
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
        let Some(own) = &mut self.0 else { return };
        steps::closes(own.half.channel(), own.half.side());
        // SAFETY: the half receives.
        let _waiter = unsafe { own.half.erased_mut().stop_receiving() };
        loop {
            let before = into.len();
            self.take_run(into, NonZero::<usize>::MAX);
            steps::take_back(into.len() - before);
            into.reserve(1);
            let Some(own) = self.0.take() else { return };
            let mut half = own.into_half();
            // SAFETY: the half receives, and it has stopped. It is used again only after a message was found.
            if unsafe { half.erased_mut().leave_or_find() }.is_none() {
                return;
            }
            // SAFETY: the half has found its slot full. Each payload is a `T`, and no message is the last.
            into.push(unsafe { half.take() });
            self.0 = Some(OwnedHalf::new(half));
        }
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.as_ref().map_or(0, OwnedHalf::channel)
    }

    /// Returns what the receiver waits for, which is that [`take`](Self::take) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        // SAFETY: the half is live and receives.
        self.0.as_mut().map(|own| unsafe { own.half.receiving() })
    }

    /// Returns `true` if the sender was seen to have left.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_none()
    }

    /// Returns `Some(true)` if a value is there, and `Some(false)` if the sender has left.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<bool> {
        let Some(own) = &self.0 else { return Some(false) };
        match own.half.look() {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Marked(_) => None,
        }
    }
}
