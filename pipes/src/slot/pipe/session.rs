//! Typed halves for protocols: the type of an endpoint says which state it is in, and so what it can do.
//!
//! The types keep both sides in step: a side sends only in a state whose sender it is, both next endpoints
//! have the same next state, and the receiver gets a value of the state's own type. The safety sections of
//! [`State`], [`pipe`] and [`Endpoint::send`] say what a protocol must promise beyond its types; everything
//! else here is safe to call.

use super::half::Half;
use super::kind::{Fixed, Inherited};
use super::message::{Head, Then};
use super::role::{AsClient, AsServer, Role, same, side};
use super::send::failed_send;
use super::state::SlotState;
use super::state_trait::{Only, ReceiveFn, State, captured_nothing};
use crate::slot::received::Received;
use crate::wait::{Awaited, EndInfo, Side as EndSide, Waitable, steps, wake};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit, transmute};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

/// One side of a pipe: the endpoint of the side `R` in the state `S`.
///
/// It is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes its side.
#[must_use = "dropping an endpoint closes it"]
pub struct Endpoint<R, S> {
    /// Erased, because the memory is that of the state, and an endpoint does not demand that `S` is a
    /// [`State`]. The pipe was made with `S::Memory`.
    half: Half,
    /// Makes `S` invariant: a message of one state must not be read as one of the same state with other
    /// lifetimes.
    state: PhantomData<fn(S) -> S>,
    role: PhantomData<R>,
}

// SAFETY: an endpoint gives its thread payloads that another thread has sent, and `Payloads: Send` says that
// all of them may change threads. The half is used by its owner only, and what it shares with the other half
// is atomic or handed over by the slot's states. The role is a marker.
unsafe impl<R, S: State> Send for Endpoint<R, S> where S::Payloads: Send {}
// SAFETY: through a shared reference a thread can only load the slot's word, which is atomic, and print the
// endpoint.
unsafe impl<R, S: State> Sync for Endpoint<R, S> where S::Payloads: Send {}

// A panic leaves no endpoint half-changed: each step consumes it, and dropping it closes it.
impl<R, S> UnwindSafe for Endpoint<R, S> {}
impl<R, S> RefUnwindSafe for Endpoint<R, S> {}

impl<R, S> fmt::Debug for Endpoint<R, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("sending", &self.half.is_sending()).finish_non_exhaustive()
    }
}

impl<R, S> Drop for Endpoint<R, S> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the endpoint is being dropped, so one copy of its half remains.
        let half = unsafe { self.half.duplicate() };
        half.close();
    }
}

/// Creates a pipe in the state `S`, with one allocation.
///
/// # Safety
///
/// The caller must be the generated code of the protocol that `S` belongs to. It must hand out both endpoints
/// only inside its own types, whose steps must be those of the protocol: see [`Endpoint::send`].
#[inline]
pub unsafe fn pipe<S: State<Memory: Fixed>>() -> (Endpoint<AsClient, S>, Endpoint<AsServer, S>) {
    let (client, server) = Half::<S::Memory>::new_pair(side::<S::Sender>(), client::<S>());
    steps::made_session(client.channel(), S::INFO);
    (Endpoint::new(client), Endpoint::new(server))
}

/// Creates a pipe in the state `S` with the memory `M`, for states that are [`Inherited`], with one
/// allocation.
///
/// # Safety
///
/// The caller must promise what [`pipe`] demands, and that the slots of `M` have room for the payloads of all
/// states that can be reached from `S`. A state with fewer type parameters cannot say this itself.
#[inline]
pub unsafe fn pipe_in<M: Fixed, S: State<Memory = Inherited>>()
-> (Endpoint<AsClient, S>, Endpoint<AsServer, S>) {
    let (client, server) = Half::<M>::new_pair(side::<S::Sender>(), client::<S>());
    steps::made_session(client.channel(), S::INFO);
    (Endpoint::new(client.into_erased()), Endpoint::new(server.into_erased()))
}

/// Describes the client of a session in the state `S`.
const fn client<S: State>() -> &'static EndInfo {
    const { &EndInfo::in_state::<S>("Client", Awaited::Message, EndSide::First, S::INFO) }
}

impl<R, S: State> Endpoint<R, S> {
    #[inline(always)]
    fn new(half: Half<S::Memory>) -> Self {
        Endpoint { half: half.into_erased(), state: PhantomData, role: PhantomData }
    }

    /// Returns the half, without closing it.
    #[inline(always)]
    fn into_half(self) -> Half<S::Memory> {
        // SAFETY: `self` is neither used nor dropped after this, so one copy of the half remains.
        let half = unsafe { ManuallyDrop::new(self).half.duplicate() };
        // SAFETY: the pipe was made with `S::Memory`.
        unsafe { half.into_typed() }
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.half.channel()
    }

    /// Returns the half.
    #[inline(always)]
    fn half(&self) -> &Half<S::Memory> {
        // SAFETY: the pipe was made with `S::Memory`.
        unsafe { self.half.typed() }
    }

    /// Returns the half, to wait at its slot.
    #[inline(always)]
    fn half_mut(&mut self) -> &mut Half<S::Memory> {
        // SAFETY: the pipe was made with `S::Memory`.
        unsafe { self.half.typed_mut() }
    }
}

impl<R: Role, S: State<Sender = R>> Endpoint<R, S> {
    /// Sends a message after which the session goes on in `T`.
    ///
    /// The receiver gets the value that `receive` makes from the payload and from its own next endpoint.
    /// `receive` runs where the message is received; it captures nothing, and only puts the two together.
    ///
    /// `room` is never called. Its type shows that the `Payloads` of `S` contain this payload and, where the
    /// types differ, the payloads that can be sent from `T` on.
    ///
    /// # Errors
    ///
    /// Returns the payload if the receiver was dropped.
    ///
    /// # Safety
    ///
    /// The caller must be the generated code of the protocol that `S` belongs to. This protocol must have a
    /// message with this payload that leads from `S` to `T`, and `receive` must make this message.
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
        self.half().assert_room_for::<P>();
        let then = const { if same::<R, T::Sender>() { Then::Again } else { Then::Turn } };
        let head: &'static Head = const {
            let then = if same::<R, T::Sender>() { Then::Again } else { Then::Turn };
            &Head::of_state::<P>(then, receive::<R, S, T, P, F> as ReceiveFn<S> as *const ())
        };
        let mut half =
            if self.half.registration().is_registered() { self.stopped_watching() } else { self }.into_half();
        steps::sends_message::<F>(half.channel(), half.side(), || half.place(), S::INFO);
        let mut back = MaybeUninit::uninit();
        // SAFETY: `R` sends in state `S`, and the half does not watch. `head` describes a `P`, which fits the
        // slot, and `back` has room for one.
        let waiter = match unsafe { half.send(payload, head, NonNull::from(&mut back).cast::<P>()) } {
            Ok(waiter) => waiter,
            // SAFETY: the send has failed, and this is its `back`.
            Err(waiter) => return Err(unsafe { failed_send(back, waiter) }),
        };
        half.set_sending(matches!(then, Then::Again));
        let next = Endpoint::new(half);
        wake(waiter);
        Ok(next)
    }

    /// Sends the last message of the session. The receiver gets the value that `receive` makes from the
    /// payload.
    ///
    /// # Errors
    ///
    /// Returns the payload if the receiver was dropped.
    ///
    /// # Safety
    ///
    /// The caller must be the generated code of the protocol that `S` belongs to. This protocol must have a
    /// message with this payload that leads from `S` to the end of the session, and `receive` must make this
    /// message.
    #[inline(always)]
    pub unsafe fn finish<P, F, W>(self, payload: P, _receive: F, _room: W) -> Result<(), P>
    where
        F: Fn(P) -> S + Copy,
        W: Fn(P) -> S::Payloads,
    {
        self.half().assert_room_for::<P>();
        let head: &'static Head =
            const { &Head::of_state::<P>(Then::End, receive_last::<S, P, F> as ReceiveFn<S> as *const ()) };
        let half =
            if self.half.registration().is_registered() { self.stopped_watching() } else { self }.into_half();
        steps::sends_message::<F>(half.channel(), half.side(), || half.place(), S::INFO);
        let mut back = MaybeUninit::uninit();
        // SAFETY: `R` sends in state `S`, and the half does not watch. `head` describes a `P`, which fits the
        // slot, and `back` has room for one.
        match unsafe { half.finish(payload, head, NonNull::from(&mut back).cast::<P>()) } {
            Ok(waiter) => wake(waiter),
            // SAFETY: the send has failed, and this is its `back`.
            Err(()) => return Err(unsafe { failed_send(back, None) }),
        }
        Ok(())
    }

    /// Stops watching. It takes the endpoint by value, so that an endpoint that does not watch stays in
    /// registers.
    #[cold]
    fn stopped_watching(mut self) -> Self {
        // SAFETY: `R` sends in state `S`.
        unsafe { self.half.stop_watching() };
        self
    }

    /// Returns `true` if the other side has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.half().is_abandoned()
    }

    /// Returns what the sender waits for when it watches, which is that the other side has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        // SAFETY: the endpoint's half is live and `R` sends in state `S`.
        unsafe { self.half_mut().watching() }
    }
}

impl<R: Role, S: State<Sender = R::Dual>> Endpoint<R, S> {
    /// Finds the message, if one was sent.
    #[inline(always)]
    pub(crate) fn find(self) -> Received<Arrived<S>, Self> {
        match self.look() {
            SlotState::Full(head) => {
                let receive = match S::ONLY.receive {
                    Some(receive) => receive,
                    // SAFETY: only messages of `S` are sent in state `S`, and their heads were made from a
                    // `ReceiveFn<S>`.
                    None => unsafe { transmute::<*const (), ReceiveFn<S>>(head.receive()) },
                };
                Received::Message(Arrived { half: self.into_half().into_erased(), receive })
            }
            SlotState::Closed => {
                // The destructor finds that the other side has left, and frees the pipe.
                drop(self);
                Received::Closed
            }
            SlotState::Empty | SlotState::Marked(_) => Received::Nothing(self),
        }
    }

    /// Returns what the receiver waits for, which is that [`find`](Self::find) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        // SAFETY: the endpoint's half is live and `R` receives in state `S`.
        unsafe { self.half_mut().receiving() }
    }

    /// Returns `Some(true)` if a message is there, and `Some(false)` if the sender has left.
    pub(crate) fn peek(&self) -> Option<bool> {
        match self.look() {
            SlotState::Full(_) => Some(true),
            SlotState::Closed => Some(false),
            SlotState::Empty | SlotState::Marked(_) => None,
        }
    }

    /// Returns what the slot's word says.
    #[inline(always)]
    fn look(&self) -> SlotState {
        self.half().look()
    }
}

/// A message that is in the half's slot, and the function that receives it.
pub(crate) struct Arrived<S> {
    half: Half,
    receive: ReceiveFn<S>,
}

impl<S> Arrived<S> {
    /// Takes the message.
    #[inline(always)]
    pub(crate) fn take(self) -> S {
        // SAFETY: the half stands at the slot of this message, and has seen it full. Its pipe was made with
        // `S::Memory`, because it was moved out of an endpoint in the state `S`.
        unsafe { (self.receive)(self.half) }
    }
}

impl<S: State> Only<S> {
    /// Returns the only message of a state. The function makes it from the payload and from the receiver's
    /// next endpoint.
    pub const fn message<T, P, F>(_receive: F) -> Self
    where
        T: State<Memory = S::Memory>,
        F: Fn(P, Endpoint<<S::Sender as Role>::Dual, T>) -> S + Copy,
    {
        Only::by(receive::<S::Sender, S, T, P, F>)
    }

    /// Returns the only message of a state, which is the last one of the session. The function makes it from
    /// the payload.
    pub const fn last<P, F: Fn(P) -> S + Copy>(_receive: F) -> Self {
        Only::by(receive_last::<S, P, F>)
    }
}

/// Takes a `P` and makes the value that a receiver in `S` gets; the session goes on in `T`.
///
/// # Safety
///
/// The half must stand at the slot of such a message, and must have seen it full. Its pipe must have been
/// made with `S::Memory`.
unsafe fn receive<R, S, T, P, F>(half: Half) -> S
where
    R: Role,
    S: State<Sender = R>,
    T: State<Memory = S::Memory>,
    F: Fn(P, Endpoint<R::Dual, T>) -> S + Copy,
{
    // SAFETY: the pipe was made with `S::Memory` (caller).
    let mut half = unsafe { half.into_typed::<S::Memory>() };
    steps::receives_message::<F>(half.channel(), half.side(), || half.place(), S::INFO);
    // SAFETY: the half stands at the slot of a `P`, and has seen it full (caller).
    captured_nothing::<F>()(unsafe { half.take() }, {
        half.set_sending(const { !same::<R, T::Sender>() });
        Endpoint::new(half)
    })
}

/// Takes a `P` and makes the value that a receiver in `S` gets; the session has ended.
///
/// # Safety
///
/// The half must stand at the slot of such a message, and must have seen it full. Its pipe must have been
/// made with `S::Memory`.
unsafe fn receive_last<S: State, P, F: Fn(P) -> S + Copy>(half: Half) -> S {
    // SAFETY: the pipe was made with `S::Memory` (caller).
    let half = unsafe { half.into_typed::<S::Memory>() };
    steps::receives_message::<F>(half.channel(), half.side(), || half.place(), S::INFO);
    // SAFETY: the half stands at the slot of a `P` that is the last message of the session, and has seen it
    // full (caller).
    captured_nothing::<F>()(unsafe { half.take_last() })
}
