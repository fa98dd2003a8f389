//! The states of a protocol as types.
//!
//! A receiver gets a value of its state's type. The function that makes this value of a payload is in the
//! head of the message, because a state may have several messages. In a state with one message it is known
//! beforehand, so the receiver need not wait for the head, and the call is inlined.

use super::half::Half;
use super::kind::Memory;
use super::role::Role;
use crate::state_info::StateInfo;
use std::fmt;
use std::ptr::NonNull;

/// Takes the payload, and makes the value that the receiver gets from it and from the receiver's next
/// endpoint.
///
/// # Safety
///
/// The half must stand at the slot of a message that was sent with this function, and must have seen it full.
/// Its pipe must have been made with the memory of `S`.
pub(super) type ReceiveFn<S> = unsafe fn(Half) -> S;

/// The only message of a state, or no message, if there may be several.
pub struct Only<S> {
    pub(super) receive: Option<ReceiveFn<S>>,
}

impl<S> Only<S> {
    /// There may be several.
    pub(super) const UNKNOWN: Self = Only { receive: None };

    /// The message that this function receives.
    pub(super) const fn by(receive: ReceiveFn<S>) -> Self {
        Only { receive: Some(receive) }
    }
}

impl<S> fmt::Debug for Only<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Only").field("is_known", &self.receive.is_some()).finish()
    }
}

/// A state of a protocol. It is also the type of the value that a receiver gets in this state.
///
/// Only generated code should implement this trait.
///
/// # Safety
///
/// The implementer must promise five things that the types cannot check:
///
/// - `Payloads` contains the type of every payload that is sent in this state (each send shows this) or in a
///   state that can be reached from it;
/// - each message puts its whole payload into the value of the state, so that the lifetimes of the state
///   bound those of the payload;
/// - the function that makes a message from a payload captures nothing, not even a value of size zero;
/// - `Memory` is a ring only if the protocol is bounded, and the ring has the number of slots that
///   [`Ring`](super::Ring) asks for;
/// - if `ONLY` names a message, each send in this state is of that message.
pub unsafe trait State: Sized {
    /// The side that sends in this state.
    type Sender: Role;
    /// The memory of the protocol's pipes.
    type Memory: Memory;
    /// All payloads from this state on, as one flat type. An endpoint is `Send` exactly if they are.
    type Payloads;
    /// The message that is sent in this state, if there is only one.
    const ONLY: Only<Self> = Only::UNKNOWN;
    /// The description of this state, for errors and logs.
    const INFO: &'static StateInfo = StateInfo::UNKNOWN;
}

/// A state in which `R` sends.
///
/// It says the same as [`State::Sender`], but as a bound of its own. So a method that needs this bound does
/// not clash with a message of the same name in a state without it.
#[diagnostic::on_unimplemented(
    message = "in the state `{Self}` this endpoint sends: there is nothing to receive",
    label = "this endpoint is in the state `{Self}`, in which it sends",
    note = "to send, call the method of one of the state's messages; the endpoint that it returns is that of the next state"
)]
pub trait SentBy<R: Role>: State<Sender = R> {}

/// Returns the function `F`, which captures nothing and was given where the message was sent.
#[inline(always)]
pub(super) fn captured_nothing<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "what makes a message of a payload captures nothing") };
    // SAFETY: `F` has size zero, so it can be read at any aligned address; it is `Copy`, and a value of it
    // existed.
    unsafe { NonNull::<F>::dangling().read() }
}
