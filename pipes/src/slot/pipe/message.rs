//! What a full slot says of its message.
//!
//! The word of a full slot is the address of a descriptor that was made at compile time where the message is sent. It is
//! how a receiver that knows only the state, and a destructor that knows not even that, can take a message apart: types
//! of the protocol never refer to each other through code that the compiler would have to follow from state to state.

use super::half::Half;
use std::ptr::NonNull;

/// Which way the session goes on after a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The same side sends again.
    Again,
    /// The receiver of this message sends next.
    Turn,
    /// The session has ended; the sender has left.
    End,
}

/// What is known of a message.
#[repr(align(16))]
pub(super) struct Head {
    /// Drops the payload where it lies.
    ///
    /// # Safety
    ///
    /// The payload is there, it is the caller's, and it is not used again.
    pub(super) discard: unsafe fn(NonNull<u8>),
    /// What follows.
    pub(super) then: Then,
    /// A [`Receive`] for the `S` of the state that the message is sent in; nothing for messages that are plain values.
    /// Its type is left out because it may mention lifetimes, and this lives for ever.
    receive: *const (),
}

/// Takes the payload and makes of it, and of the receiver's next endpoint, what the receiver gets.
///
/// # Safety
///
/// The half stands at the slot that this message was published in, and has seen it there.
pub(super) type Receive<S> = unsafe fn(Half) -> S;

impl Head {
    /// Of a message that is a plain value.
    pub(super) const fn of_value<P>(then: Then) -> Self {
        Head { discard: discard::<P>, then, receive: std::ptr::null() }
    }

    /// Of a message of a state whose receivers get an `S`.
    pub(super) const fn of_state<P, S>(then: Then, receive: Receive<S>) -> Self {
        Head { discard: discard::<P>, then, receive: receive as *const () }
    }

    /// How to receive the message.
    ///
    /// # Safety
    ///
    /// The head was made by [`Head::of_state`] with this `S`.
    #[inline(always)]
    pub(super) unsafe fn receive<S>(&self) -> Receive<S> {
        // SAFETY: it was made of such a function.
        unsafe { std::mem::transmute::<*const (), Receive<S>>(self.receive) }
    }
}

/// # Safety
///
/// As for [`Head::discard`], with a payload that is a `P`.
unsafe fn discard<P>(payload: NonNull<u8>) {
    // SAFETY: the caller's promises.
    unsafe { payload.cast::<P>().drop_in_place() }
}
