//! The description of a message, which a full slot refers to.
//!
//! The word of a full slot is the address of a [`Head`], a constant that is made where the message is sent. A
//! receiver knows only the state, and a destructor not even that. Both learn from the head how to handle the
//! message. This also keeps compile times short, because the compiler does not have to follow the protocol
//! from state to state through the code that receives.

use std::ptr::NonNull;

/// How the session goes on after a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The same side sends again.
    Again,
    /// The receiver of this message sends next.
    Turn,
    /// The session has ended, and the sender has left.
    End,
}

/// The description of a message.
#[repr(align(16))]
pub(super) struct Head {
    /// Drops the payload where it lies.
    ///
    /// # Safety
    ///
    /// A payload of the message's type must lie there. It must be the caller's, and must not be used again.
    pub(super) discard: unsafe fn(NonNull<u8>),
    /// How the session goes on.
    pub(super) then: Then,
    /// The function that receives the message in the state in which it is sent, or null for messages that are
    /// plain values. Its type is erased, because it may contain lifetimes and a head is `'static`.
    receive: *const (),
}

impl Head {
    /// Creates the head of a message that is a plain value.
    pub(super) const fn of_value<P>(then: Then) -> Self {
        Head { discard: discard::<P>, then, receive: std::ptr::null() }
    }

    /// Creates the head of a message that this function receives.
    pub(super) const fn of_state<P>(then: Then, receive: *const ()) -> Self {
        Head { discard: discard::<P>, then, receive }
    }

    /// Returns the function that receives the message.
    #[inline(always)]
    pub(super) fn receive(&self) -> *const () {
        self.receive
    }
}

/// Drops a `P` where it lies.
///
/// # Safety
///
/// See [`Head::discard`]. The payload must be a `P`.
unsafe fn discard<P>(payload: NonNull<u8>) {
    // SAFETY: a `P` lies there, it is the caller's, and it is not used again (caller).
    unsafe { payload.cast::<P>().drop_in_place() }
}
