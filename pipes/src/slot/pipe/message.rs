//! What a full slot says of its message.
//!
//! The word of a full slot is the address of a descriptor that was made at compile time where the message is
//! sent. It is how a receiver that knows only the state, and a destructor that knows not even that, can take
//! a message apart: types of the protocol never refer to each other through code that the compiler would have
//! to follow from state to state.

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
    /// A function that receives the message in the state that it is sent in; nothing for messages that are
    /// plain values. Its type is left out because it may mention lifetimes, and this lives for ever.
    receive: *const (),
}

impl Head {
    /// Of a message that is a plain value.
    pub(super) const fn of_value<P>(then: Then) -> Self {
        Head { discard: discard::<P>, then, receive: std::ptr::null() }
    }

    /// Of a message that this function receives.
    pub(super) const fn of_state<P>(then: Then, receive: *const ()) -> Self {
        Head { discard: discard::<P>, then, receive }
    }

    /// The function that receives the message.
    #[inline(always)]
    pub(super) fn receive(&self) -> *const () {
        self.receive
    }
}

/// # Safety
///
/// As for [`Head::discard`], with a payload that is a `P`.
unsafe fn discard<P>(payload: NonNull<u8>) {
    // SAFETY: the caller's promises.
    unsafe { payload.cast::<P>().drop_in_place() }
}
