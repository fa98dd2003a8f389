//! Typed halves for protocols: which state a half is in says what may be done with it.
//!
//! The types keep both sides in step: a message is sent only in a state whose sender this side is; both next
//! endpoints get the same next state; a received message is the state's own type. What a protocol owes beyond
//! its types is said at [`State`], [`pipe`] and [`Endpoint::send`], which need its word; everything else here
//! is safe to call.

use super::half::Half;
use super::kind::Kind;
use super::message::{Head, Then};
use super::policy::{Fixed, Inherited, Memory, fits, kind, kind_of};
use super::role::{AsClient, AsServer, Role, same, side};
use super::send::Refused;
use super::state::SlotState;
use crate::slot::ready::Token;
use crate::slot::received::Received;
use crate::slot::waiter::wake;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, transmute};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::{Context, Poll};
use std::time::Instant;

/// A state of a protocol: the type of what a receiver gets in it.
///
/// This trait is for protocols; nothing else should implement it.
///
/// # Safety
///
/// The types keep both sides in step, but four things they cannot see:
///
/// - `Payloads` holds every type that is sent in this state (which each send shows) or in one that can be
///   reached from it;
/// - each message puts its whole payload into the value of the state, so that the state's lifetimes bound the
///   payload's;
/// - what makes a message of a payload captures nothing, not even a value without a size;
/// - `Memory` is a ring only if the protocol is bounded, with as many slots as [`Ring`](super::Ring) asks
///   for.
pub unsafe trait State: Sized {
    /// Who sends in this state.
    type Sender: Role;
    /// The memory of the protocol's pipes.
    type Memory: Memory;
    /// All payloads from here on, as one flat type: an endpoint may go to another thread exactly if they may.
    type Payloads;
}

/// A state in which `R` sends.
///
/// It says no more than [`State::Sender`], but as a bound of its own: a method that needs it and a message of
/// the same name in a state without it do not get into each other's way.
#[diagnostic::on_unimplemented(
    message = "in the state `{Self}` this endpoint sends: there is nothing to receive",
    label = "this endpoint is in the state `{Self}`, in which it sends"
)]
pub trait SentBy<R: Role>: State<Sender = R> {}

/// One side of a pipe, in the state `S`, seen by `R`.
///
/// It is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes its side.
#[must_use = "dropping an endpoint closes it"]
pub struct Endpoint<R, S> {
    half: Half,
    /// Invariant: a message of a longer-lived state must not be read as one of a shorter-lived state, nor the
    /// reverse.
    state: PhantomData<fn(S) -> S>,
    role: PhantomData<R>,
}

// SAFETY: the other side may be in another thread, so this one may be sent there as well if all that can
// travel between them may; that is `Payloads`. The half itself is used by its owner only, and what it shares
// with the other half is atomic or handed over by the slot's states. The role is a marker.
unsafe impl<R, S: State> Send for Endpoint<R, S> where S::Payloads: Send {}
// SAFETY: through a shared reference an endpoint can only be asked what its slot's word says, and be printed.
unsafe impl<R, S: State> Sync for Endpoint<R, S> where S::Payloads: Send {}

// A panic cannot be seen from outside through an endpoint: it is used up by each step, or closed.
impl<R, S> UnwindSafe for Endpoint<R, S> {}
impl<R, S> RefUnwindSafe for Endpoint<R, S> {}

impl<R, S> fmt::Debug for Endpoint<R, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("sending", &self.half.is_sending()).finish_non_exhaustive()
    }
}

impl<R, S> Drop for Endpoint<R, S> {
    fn drop(&mut self) {
        // SAFETY: this is the live half, and is not used again.
        unsafe { self.half.close() };
    }
}

/// A fresh pipe in the state `S`: one allocation.
///
/// # Safety
///
/// The caller is the protocol that `S` is a state of. It gives both endpoints away only inside of types of
/// its own, whose steps are those of the protocol: see [`Endpoint::send`].
#[inline]
pub unsafe fn pipe<S: State<Memory: Fixed>>() -> (Endpoint<AsClient, S>, Endpoint<AsServer, S>) {
    entangle(kind::<S::Memory>())
}

/// A fresh pipe in the state `S` with memory `M`, for states that take what they get: one allocation.
///
/// # Safety
///
/// As for [`pipe`], and `M` is memory for the payloads of all states that can be reached from `S`: what a
/// state with fewer parameters cannot say by itself.
#[inline]
pub unsafe fn pipe_in<M: Fixed, S: State<Memory = Inherited>>()
-> (Endpoint<AsClient, S>, Endpoint<AsServer, S>) {
    entangle(kind::<M>())
}

#[inline]
fn entangle<S: State>(kind: &'static Kind) -> (Endpoint<AsClient, S>, Endpoint<AsServer, S>) {
    let (client, server) = Half::entangle(kind, side::<S::Sender>());
    (Endpoint::new(client), Endpoint::new(server))
}

impl<R, S> Endpoint<R, S> {
    fn new(half: Half) -> Self {
        Endpoint { half, state: PhantomData, role: PhantomData }
    }

    /// The half, without closing it.
    #[inline(always)]
    fn into_half(self) -> Half {
        // SAFETY: the original is not dropped.
        unsafe { ManuallyDrop::new(self).half.duplicate() }
    }
}

impl<R: Role, S: State<Sender = R>> Endpoint<R, S> {
    /// Sends a message after which the session goes on in `T`.
    ///
    /// The receiver gets what `receive` makes of the payload and of its own next endpoint. `receive` captures
    /// nothing and does nothing but put the two together: it runs where the message is received.
    ///
    /// `room` is not called: it shows, by type, that the `Payloads` of `S` have room for this payload and,
    /// where the types differ, for what can be sent from `T` on.
    ///
    /// # Errors
    ///
    /// The receiver was dropped; the error is the payload.
    ///
    /// # Safety
    ///
    /// The caller is the protocol that `S` is a state of: it has a message with this payload, which leads
    /// from `S` to `T`, and `receive` makes this message.
    #[inline(always)]
    pub unsafe fn send<T, P, F, W, const N: usize>(
        self,
        payload: P,
        _receive: F,
        _room: W,
    ) -> Result<Endpoint<R, T>, P>
    where
        T: State<Memory = S::Memory>,
        F: Fn(P, Endpoint<R::Dual, T>) -> S + Copy,
        W: Fn(P, fn() -> T::Payloads) -> [S::Payloads; N],
    {
        const { assert!(size_of::<F>() == 0, "what makes a message of a payload captures nothing") };
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        fits::<P, S::Memory>(kind);
        let then = const { if same::<R, T::Sender>() { Then::Again } else { Then::Turn } };
        let head: &'static Head = const {
            let then = if same::<R, T::Sender>() { Then::Again } else { Then::Turn };
            &Head::of_state::<P>(then, receive::<R, S, T, P, F> as ReceiveFn<S> as *const ())
        };
        let mut half =
            if self.half.seating().is_registered() { self.stopped_watching() } else { self }.into_half();
        // SAFETY: the half was this endpoint's own; in state `S` it is `R` that sends; the payload fits, as
        // was just asserted, and `head` describes it.
        let waiter = match unsafe { half.send(kind, payload, head) } {
            Ok(waiter) => waiter,
            Err(Refused { payload, waiter }) => {
                wake(waiter);
                return Err(payload);
            }
        };
        half.set_sending(matches!(then, Then::Again));
        let next = Endpoint::new(half);
        wake(waiter);
        Ok(next)
    }

    /// Sends the last message of the session, of which the receiver gets what `receive` makes of the payload.
    ///
    /// # Errors
    ///
    /// The receiver was dropped; the error is the payload.
    ///
    /// # Safety
    ///
    /// As for [`send`](Self::send), with a message that ends the session.
    #[inline(always)]
    pub unsafe fn finish<P, F, W>(self, payload: P, _receive: F, _room: W) -> Result<(), P>
    where
        F: Fn(P) -> S + Copy,
        W: Fn(P) -> S::Payloads,
    {
        const { assert!(size_of::<F>() == 0, "what makes a message of a payload captures nothing") };
        // SAFETY: as in `send`.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        fits::<P, S::Memory>(kind);
        let head: &'static Head =
            const { &Head::of_state::<P>(Then::End, receive_last::<S, P, F> as ReceiveFn<S> as *const ()) };
        let half =
            if self.half.seating().is_registered() { self.stopped_watching() } else { self }.into_half();
        // SAFETY: as in `send`.
        wake(unsafe { half.finish(kind, payload, head) }?);
        Ok(())
    }

    /// The endpoint, no longer watching. By value, so that one that does not watch stays in registers.
    #[cold]
    fn stopped_watching(mut self) -> Self {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and sends in this state.
        unsafe { self.half.stop_watching(kind) };
        self
    }

    /// Has the other side left?
    pub(crate) fn receiver_has_left(&self) -> bool {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and sends in this state.
        unsafe { self.half.is_abandoned(kind) }
    }

    /// Blocks until the other side has left; false if the deadline passed first.
    pub(crate) fn block_closed(&mut self, deadline: Option<Instant>) -> bool {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and sends in this state.
        unsafe { self.half.watching(kind) }.wait(deadline)
    }

    /// Ready when the other side has left.
    pub(crate) fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and sends in this state.
        unsafe { self.half.watching(kind) }.poll(cx)
    }
}

impl<R: Role, S: State<Sender = R::Dual>> Endpoint<R, S> {
    /// The message, if it is there.
    #[inline(always)]
    pub(crate) fn take(self) -> Received<S, Self> {
        match self.look() {
            SlotState::Full(head) => {
                // SAFETY: in state `S` only messages of `S` are sent, whose heads were made of such a
                // function.
                let receive = unsafe { transmute::<*const (), ReceiveFn<S>>(head.receive()) };
                // SAFETY: the half stands at the slot of this message, and has seen it.
                Received::Message(unsafe { receive(self.into_half()) })
            }
            SlotState::Closed => {
                // Dropping the endpoint finds the other side gone, and frees the pipe.
                drop(self);
                Received::Closed
            }
            SlotState::Empty | SlotState::Waiting(_) => Received::Nothing(self),
        }
    }

    /// Blocks until [`take`](Self::take) gives something; false if the deadline passed first.
    #[inline]
    pub(crate) fn block(&mut self, deadline: Option<Instant>) -> bool {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and receives in this state.
        unsafe { self.half.receiving(kind) }.wait(deadline)
    }

    /// Ready when [`take`](Self::take) gives something.
    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and receives in this state.
        unsafe { self.half.receiving(kind) }.poll(cx)
    }

    /// Leaves a set's token with the sender. `Err`: [`take`](Self::take) gives something.
    #[inline]
    pub(crate) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and receives in this state.
        unsafe { self.half.receiving(kind) }.register_token(token)
    }

    /// Takes the token back, unless it is on its way to its list.
    pub(crate) fn unregister_token(&mut self) -> Option<Token> {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and receives in this state.
        unsafe { self.half.receiving(kind) }.unregister_token()
    }

    /// Is a message there (`Some(true)`), or has the sender left (`Some(false)`)?
    pub(crate) fn peek(&self) -> Option<bool> {
        match self.look() {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Waiting(_) => None,
        }
    }

    /// What the slot says.
    #[inline(always)]
    fn look(&self) -> SlotState {
        // SAFETY: the half is live, and its pipe has the memory that its states say.
        let kind = unsafe { kind_of::<S::Memory>(&self.half) };
        // SAFETY: the half is this endpoint's own, and receives in this state.
        unsafe { self.half.look(kind) }
    }
}

/// Takes the payload and makes of it, and of the receiver's next endpoint, what the receiver gets.
///
/// # Safety
///
/// The half stands at the slot that this message was published in, and has seen it there.
type ReceiveFn<S> = unsafe fn(Half) -> S;

/// Takes a `P` and makes of it what a receiver in `S` gets; the session goes on in `T`.
///
/// # Safety
///
/// The half stands at the slot of such a message, and has seen it.
unsafe fn receive<R, S, T, P, F>(mut half: Half) -> S
where
    R: Role,
    S: State<Sender = R>,
    T: State<Memory = S::Memory>,
    F: Fn(P, Endpoint<R::Dual, T>) -> S + Copy,
{
    // SAFETY: the half is live, and its pipe has the memory that its states say.
    let kind = unsafe { kind_of::<S::Memory>(&half) };
    // SAFETY: the caller's promises.
    let payload = unsafe { half.take(kind) };
    half.set_sending(const { !same::<R, T::Sender>() });
    captured_nothing::<F>()(payload, Endpoint::new(half))
}

/// Takes a `P` and makes of it what a receiver in `S` gets; the session has ended.
///
/// # Safety
///
/// As for [`receive`].
unsafe fn receive_last<S: State, P, F: Fn(P) -> S + Copy>(half: Half) -> S {
    // SAFETY: the half is live, and its pipe has the memory that its states say.
    let kind = unsafe { kind_of::<S::Memory>(&half) };
    // SAFETY: the caller's promises.
    captured_nothing::<F>()(unsafe { half.take_last(kind) })
}

/// A function that captures nothing, of which one was given where the message was sent.
#[inline(always)]
fn captured_nothing<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: the type has no size, so any aligned address holds one; it is `Copy`, and one existed.
    unsafe { NonNull::<F>::dangling().read() }
}
