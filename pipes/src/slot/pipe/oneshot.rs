//! Typed halves for oneshots: the only message is a `T`.

use super::half::{Half, Side};
use super::message::{Head, Then};
use super::policy::{Ring, kind};
use super::send::refused;
use super::state::SlotState;
use super::stream::OwnedHalf;
use crate::slot::received::Received;
use crate::wait::{Waitable, wake};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The memory of a oneshot of `T`.
type Once<T> = Ring<T, 1>;

/// The sending half of a oneshot.
pub(crate) struct SenderOnce<T>(OwnedHalf<T>);

/// The receiving half of a oneshot.
pub(crate) struct ReceiverOnce<T>(OwnedHalf<T>);

/// Both halves of a fresh oneshot.
#[inline]
pub(crate) fn once<T>() -> (SenderOnce<T>, ReceiverOnce<T>) {
    let (sender, receiver) = Half::new_pair(kind::<Once<T>>(), Side::Client);
    (SenderOnce(OwnedHalf::new(sender)), ReceiverOnce(OwnedHalf::new(receiver)))
}

impl<T> SenderOnce<T> {
    /// Sends; the value comes back if the receiver has left.
    #[inline]
    pub(crate) fn send(self, value: T) -> Result<(), T> {
        let head: &'static Head = const { &Head::of_value::<T>(Then::End) };
        let half = if self.0.half.registration().is_registered() { self.stopped_watching() } else { self }
            .0
            .into_half();
        let mut back = MaybeUninit::uninit();
        // SAFETY: the half is live and sends, and `Once<T>` is its pipe's kind, in which a `T` fits. It does
        // not watch, `head` describes a `T`, and `back` has room for one.
        match unsafe { half.finish(kind::<Once<T>>(), value, head, NonNull::from(&mut back).cast::<T>()) } {
            Ok(waiter) => wake(waiter),
            // SAFETY: the send has failed, and this is its `back`.
            Err(()) => return Err(unsafe { refused(back, None) }),
        }
        Ok(())
    }

    /// The half, no longer watching.
    #[cold]
    fn stopped_watching(mut self) -> Self {
        // SAFETY: the half is live and sends, and `Once<T>` is its pipe's kind.
        unsafe { self.0.half.stop_watching(kind::<Once<T>>()) };
        self
    }

    /// Returns whether the receiver has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        // SAFETY: the half is live and sends, and `Once<T>` is its pipe's kind.
        unsafe { self.0.half.is_abandoned(kind::<Once<T>>()) }
    }

    /// What the sender waits for when it watches: that the receiver has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        // SAFETY: the half is live and sends, and `Once<T>` is its pipe's kind.
        unsafe { self.0.half.watching(kind::<Once<T>>()) }
    }
}

impl<T> ReceiverOnce<T> {
    /// The value, if it is there.
    #[inline]
    pub(crate) fn take(self) -> Received<T, Self> {
        // SAFETY: the half is live and receives, and `Once<T>` is its pipe's kind.
        match unsafe { self.0.half.look(kind::<Once<T>>()) } {
            SlotState::Full(_) => {
                // SAFETY: the half has just seen its slot FULL, and `Once<T>` is its pipe's kind: the message
                // is a `T` and the last one.
                Received::Message(unsafe { self.0.into_half().take_last(kind::<Once<T>>()) })
            }
            SlotState::Closed => Received::Closed,
            SlotState::Empty | SlotState::Marked(_) => Received::Nothing(self),
        }
    }

    /// What the receiver waits for: that [`take`](Self::take) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        // SAFETY: the half is live and receives, and `Once<T>` is its pipe's kind.
        unsafe { self.0.half.receiving(kind::<Once<T>>()) }
    }

    /// Returns `Some(true)` if the value is there, and `Some(false)` if the sender has left.
    pub(crate) fn peek(&self) -> Option<bool> {
        // SAFETY: the half is live and receives, and `Once<T>` is its pipe's kind.
        match unsafe { self.0.half.look(kind::<Once<T>>()) } {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Marked(_) => None,
        }
    }
}
