//! Typed halves for oneshots: the only message is a `T`.

use super::half::{Half, Side};
use super::message::{Head, Then};
use super::policy::Ring;
use super::send::failed_send;
use super::state::SlotState;
use super::stream::OwnedHalf;
use crate::slot::received::Received;
use crate::wait::{EndInfo, Waitable, steps, wake};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The memory of a oneshot of `T`.
type Once<T> = Ring<T, 1>;

/// The sending half of a oneshot.
pub(crate) struct SenderOnce<T>(OwnedHalf<T, Once<T>>);

/// The receiving half of a oneshot.
pub(crate) struct ReceiverOnce<T>(OwnedHalf<T, Once<T>>);

/// Creates a oneshot, and returns both of its halves.
#[inline]
pub(crate) fn once<T>() -> (SenderOnce<T>, ReceiverOnce<T>) {
    let (sender, receiver) =
        Half::<Once<T>>::new_pair(Side::Client, const { &EndInfo::receiver::<T>("PortOne") });
    steps::made::<T>(sender.channel(), "oneshot");
    (SenderOnce(OwnedHalf::new(sender)), ReceiverOnce(OwnedHalf::new(receiver)))
}

impl<T> SenderOnce<T> {
    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.channel()
    }

    /// Sends the value.
    ///
    /// # Errors
    ///
    /// Returns the value if the receiver has left.
    #[inline]
    pub(crate) fn send(self, value: T) -> Result<(), T> {
        let head: &'static Head = const { &Head::of_value::<T>(Then::End) };
        let half = if self.0.half.registration().is_registered() { self.stopped_watching() } else { self }
            .0
            .into_half();
        steps::sends::<T>(half.channel(), half.side(), || half.place());
        let mut back = MaybeUninit::uninit();
        // SAFETY: the half sends, and it does not watch. `head` describes a `T`, which fits the slot, and
        // `back` has room for one.
        match unsafe { half.finish(value, head, NonNull::from(&mut back).cast::<T>()) } {
            Ok(waiter) => wake(waiter),
            // SAFETY: the send has failed, and this is its `back`.
            Err(()) => return Err(unsafe { failed_send(back, None) }),
        }
        Ok(())
    }

    /// Stops watching, and returns the half.
    #[cold]
    fn stopped_watching(mut self) -> Self {
        // SAFETY: the half sends.
        unsafe { self.0.half.erased_mut().stop_watching() };
        self
    }

    /// Returns `true` if the receiver has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.half.is_abandoned()
    }

    /// Returns what the sender waits for when it watches, which is that the receiver has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        // SAFETY: the half is live and sends.
        unsafe { self.0.half.watching() }
    }
}

impl<T> ReceiverOnce<T> {
    /// Takes the value, if it is there.
    #[inline]
    pub(crate) fn take(self) -> Received<T, Self> {
        match self.0.half.look() {
            SlotState::Full(_) => {
                steps::receives::<T>(self.channel(), self.0.half.side(), || self.0.half.place());
                // SAFETY: the half has just seen its slot full, and the message is a `T` and the last one.
                Received::Message(unsafe { self.0.into_half().take_last() })
            }
            SlotState::Closed => Received::Closed,
            SlotState::Empty | SlotState::Marked(_) => Received::Nothing(self),
        }
    }

    /// Leaves. Returns the value if it was sent.
    pub(crate) fn leave(self) -> Option<T> {
        let mut half = self.0.into_half();
        steps::closes(half.channel(), half.side());
        // SAFETY: the half receives.
        let waiter = unsafe { half.erased_mut().stop_receiving() };
        // SAFETY: the half receives, and it has stopped. It is used again only after a message was found.
        let found = unsafe { half.erased_mut().leave_or_find() };
        // SAFETY: the half has found its slot full, and the message is a `T` and the last one.
        let value = found.map(|_| unsafe { half.take_last() });
        // If the waker's destructor panics at this point, the value is dropped. A value that was returned
        // already would leak.
        drop(waiter);
        value
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.channel()
    }

    /// Returns what the receiver waits for, which is that [`take`](Self::take) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        // SAFETY: the half is live and receives.
        unsafe { self.0.half.receiving() }
    }

    /// Returns `Some(true)` if the value is there, and `Some(false)` if the sender has left.
    pub(crate) fn peek(&self) -> Option<bool> {
        match self.0.half.look() {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Marked(_) => None,
        }
    }
}
