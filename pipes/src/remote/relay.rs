//! What a pump knows of a protocol, and what a codec says of a payload.

use super::fault::Fault;
use super::window::Ticket;
use crate::discard::discard;
use crate::endpoint::{Receive, TryRecvError};
use crate::protocol::{Bound, Protocol};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll};

/// A protocol that can be spoken between programs. `#[remote]` on a protocol implements it for the protocol's
/// marker type.
#[diagnostic::on_unimplemented(
    message = "the protocol of `{Self}` cannot be spoken between programs",
    label = "write `#[remote]` on this protocol"
)]
pub trait Remote: Protocol {
    /// The protocol's name as it is written.
    const NAME: &'static str;
    /// A hash of the protocol: its states, their messages and their order, the payload types as they are
    /// written, and the next states. It knows neither what is inside of a payload type nor the arguments of
    /// the protocol's parameters.
    const HASH: u128;
    /// The number in `#[remote(version = N)]`, or 0.
    const VERSION: u32;
    /// How many messages can be in transit at once.
    const BOUND: Bound;
    /// What a client's pump holds: the server's end of the client's pipe, in any state.
    type Calls: From<Self::Server>;
    /// What a server's pump holds: the client's end of the server's pipe, in any state.
    type Serves: From<Self::Client>;
}

/// An endpoint that a pump holds, in any state, with a codec `C` for its payloads. Generated code implements
/// it for `AnyServer` and `AnyClient`.
pub trait Relay<C>: Sized {
    /// Returns the protocol's hash; with `#[remote(schema)]`, together with the shapes of its payloads.
    fn hash(codec: &C) -> u128;

    /// Returns the name of its state.
    fn state(&self) -> &'static str;

    /// Returns `true` if it is the user's turn to send.
    fn user_speaks(&self) -> bool;

    /// Polls until the user has left, or, where it is the user's turn, has sent a message.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Takes the user's message, and appends its payload to `out`.
    fn lift(self, codec: &C, out: &mut Vec<u8>) -> Lifted<Self>;

    /// Gives the user a message.
    fn lower(self, codec: &C, message: Incoming<'_>) -> Lowered<Self>;
}

/// A message that has come for the user.
pub struct Incoming<'a> {
    /// Its place among those of its state, from 0.
    pub tag: u32,
    /// Its payload, encoded.
    pub payload: &'a [u8],
    /// Comes back when the user has received it; at once if the protocol is bounded.
    pub ticket: Ticket,
    /// Called before the session ends by this message, so that the reason is known when the endpoint closes.
    pub notice: &'a mut dyn FnMut(Notice<'_>),
}

/// How a session is about to end.
#[derive(Debug)]
pub enum Notice<'a> {
    /// With a last message, which the user gets now.
    Ending,
    /// With a message that is none, and then the endpoint closes.
    Fault(&'a Fault),
}

/// What a pump finds at the user's end of its pipe.
#[derive(Debug)]
pub enum Lifted<E> {
    /// A message with this tag. Its payload was appended.
    Sent {
        /// The message's place among those of its state, from 0.
        tag: u32,
        /// The pump's next endpoint; `None` if the message ends the session.
        next: Option<E>,
    },
    /// The user has left.
    Left,
    /// Nothing was sent yet, or it is not the user's turn.
    Nothing(E),
    /// A message whose payload cannot be encoded. It is lost.
    Fault {
        /// Why it cannot be encoded.
        fault: Fault,
        /// The pump's next endpoint; `None` if the message ends the session. When it is dropped, the user's
        /// endpoint closes.
        next: Option<E>,
    },
}

/// What became of a message for the user.
#[derive(Debug)]
pub enum Lowered<E> {
    /// The user will find it. Contains the pump's next endpoint.
    Next(E),
    /// The user will find it, and it ends the session.
    Last,
    /// The user has left.
    Left,
    /// It is no message of this state. The endpoint is closed.
    Fault(Fault),
}

/// A codec that turns payloads of the type `T` into bytes, and back.
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` cannot carry a payload of the type `{T}`",
    label = "a message of this protocol has a payload that cannot travel: `{T}`",
    note = "with serde, it must be `Serialize` and `DeserializeOwned`; endpoints and borrowed data cannot travel"
)]
pub trait Carries<T> {
    /// Appends a payload to `out`. What is there already must stay, also if this fails.
    ///
    /// # Errors
    ///
    /// [`Fault::Unencodable`].
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault>;

    /// Decodes a payload from all of these bytes.
    ///
    /// # Errors
    ///
    /// [`Fault::Undecodable`], or [`Fault::LeftOver`] if the payload ends before the bytes do.
    fn get(&self, bytes: &[u8]) -> Result<T, Fault>;
}

/// A codec that can tell apart types with different shapes: with `#[remote(schema)]`, two programs refuse
/// each other if a payload type has the same name in both and other fields.
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` cannot describe a payload of the type `{T}`",
    label = "`#[remote(schema)]` asks for the shape of each payload, and this one has none: `{T}`"
)]
pub trait Describes<T> {
    /// Returns a hash of the type's shape: the names and types of all that is inside of it.
    fn shape(&self) -> u128;
}

/// Mixes one more number into a hash (FNV-1a, 128 bits, Fowler, Noll and Vo).
pub const fn combine(hash: u128, more: u128) -> u128 {
    let (mut hash, bytes, mut at) = (hash, more.to_be_bytes(), 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u128).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        at += 1;
    }
    hash
}

/// Takes the message from an endpoint that receives, and lets `message` encode it.
#[inline]
pub fn lift<E: Receive, A>(
    endpoint: E,
    wrap: impl FnOnce(E) -> A,
    message: impl FnOnce(E::Message) -> (u32, Result<(), Fault>, Option<A>),
) -> Lifted<A> {
    match endpoint.try_recv().map(message) {
        Ok((tag, Ok(()), next)) => Lifted::Sent { tag, next },
        Ok((_, Err(fault), next)) => Lifted::Fault { fault, next },
        Err(TryRecvError::Empty(endpoint)) => Lifted::Nothing(wrap(endpoint)),
        Err(TryRecvError::Closed) => Lifted::Left,
    }
}

/// Encodes a payload, and drops it. A panic in its code is a fault, too.
///
/// It is dropped here and not in generated code: if its destructor panicked where the next endpoint is part
/// of the result, that endpoint would leak, and the user's end would never close.
#[inline]
pub fn put<C: Carries<P>, P>(
    codec: &C,
    name: &'static str,
    payload: P,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let put = caught(|| {
        let put = codec.put(&payload, out);
        drop(payload);
        put
    });
    put.map_err(|fault| named(name, fault))
}

/// Decodes a payload, and sends it to the user.
#[inline]
pub fn lower<C: Carries<P>, P, N: Into<A>, L, A>(
    codec: &C,
    name: &'static str,
    message: Incoming<'_>,
    send: impl FnOnce(P, Ticket) -> Result<N, L>,
) -> Lowered<A> {
    match caught(|| codec.get(message.payload)) {
        Ok(payload) => match send(payload, message.ticket) {
            Ok(next) => Lowered::Next(next.into()),
            Err(_) => Lowered::Left,
        },
        Err(fault) => faulty(named(name, fault), message.notice),
    }
}

/// Decodes the payload of a message that ends the session, and sends it to the user.
#[inline]
pub fn lower_last<C: Carries<P>, P, L, A>(
    codec: &C,
    name: &'static str,
    message: Incoming<'_>,
    send: impl FnOnce(P, Ticket) -> Result<(), L>,
) -> Lowered<A> {
    match caught(|| codec.get(message.payload)) {
        Ok(payload) => {
            (message.notice)(Notice::Ending);
            send(payload, message.ticket).map_or(Lowered::Left, |()| Lowered::Last)
        }
        Err(fault) => faulty(named(name, fault), message.notice),
    }
}

/// Returns the fault of a message that the endpoint's state does not have.
pub fn lower_nothing<C, E: Relay<C>>(endpoint: E, message: Incoming<'_>) -> Lowered<E> {
    faulty(Fault::NoSuchMessage { state: endpoint.state(), tag: message.tag }, message.notice)
}

fn faulty<A>(fault: Fault, notice: &mut dyn FnMut(Notice<'_>)) -> Lowered<A> {
    notice(Notice::Fault(&fault));
    Lowered::Fault(fault)
}

/// Runs a codec, and so the user's code.
#[inline]
fn caught<T>(code: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|panic| {
        // The payload of the panic may panic when it is dropped.
        discard(panic);
        Err(Fault::Panicked)
    })
}

/// Adds the name of its message to a fault.
#[cold]
fn named(name: &str, fault: Fault) -> Fault {
    match fault {
        Fault::Unencodable(reason) => Fault::Unencodable(format!("{name}, {reason}")),
        Fault::Undecodable(reason) => Fault::Undecodable(format!("{name}, {reason}")),
        other => other,
    }
}

impl fmt::Debug for Incoming<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.payload.len();
        f.debug_struct("Incoming").field("tag", &self.tag).field("bytes", &bytes).finish_non_exhaustive()
    }
}
