//! What pumps and codecs need of a protocol.

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
    /// The protocol's name as it is written in the source.
    const NAME: &'static str;
    /// A hash of the protocol: its states, their messages and their order, the payload types as they are
    /// written, and the next states. It includes neither the fields of a payload type nor the arguments of
    /// the protocol's parameters.
    const HASH: u128;
    /// The number in `#[remote(version = N)]`, or 0.
    const VERSION: u32;
    /// How many messages can be in transit at once.
    const BOUND: Bound;
    /// The server's end of a client's pipe, in any state. The client's pump holds it.
    type Calls: From<Self::Server>;
    /// The client's end of a server's pipe, in any state. The server's pump holds it.
    type Serves: From<Self::Client>;
}

/// The endpoint that a pump holds, in any state, with a codec `C` for its payloads. Generated code implements
/// this for `AnyServer` and `AnyClient`.
///
/// A pump *lifts* a message when it takes it out of the user's pipe, and *lowers* one when it puts it in.
pub trait Relay<C>: Sized {
    /// Returns the protocol's hash. With `#[remote(schema)]`, it includes the shapes of the payloads.
    fn hash(codec: &C) -> u128;

    /// Returns the name of the state.
    fn state(&self) -> &'static str;

    /// Returns `true` if it is the user's turn to send.
    fn user_speaks(&self) -> bool;

    /// Polls until the user has left. If it is the user's turn, also until the user has sent a message.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Takes a message that the user has sent, and appends its encoded payload to `out`.
    fn lift(self, codec: &C, out: &mut Vec<u8>) -> Lifted<Self>;

    /// Decodes a message, and sends it to the user.
    fn lower(self, codec: &C, message: Incoming<'_>) -> Lowered<Self>;
}

/// A message that has come for the user.
pub struct Incoming<'a> {
    /// The index of the message in its state, from 0.
    pub tag: u32,
    /// The encoded payload.
    pub payload: &'a [u8],
    /// Returns to its window when the user has received the message. In a bounded protocol, it is dropped at
    /// once.
    pub ticket: Ticket,
    /// Called before the session ends by this message, so that the reason is known when the endpoint closes.
    pub notice: &'a mut dyn FnMut(Notice<'_>),
}

/// How a session is about to end.
#[derive(Debug)]
pub enum Notice<'a> {
    /// The user gets the last message now.
    Ending,
    /// The message is invalid, and the endpoint closes now.
    Fault(&'a Fault),
}

/// The result of [`Relay::lift`].
#[derive(Debug)]
pub enum Lifted<E> {
    /// The user has sent a message, and its payload was appended.
    Sent {
        /// The index of the message in its state, from 0.
        tag: u32,
        /// The pump's next endpoint; `None` if the message ends the session.
        next: Option<E>,
    },
    /// The user has left.
    Left,
    /// The user has sent nothing yet, or it is not the user's turn.
    Nothing(E),
    /// The payload cannot be encoded, and is lost.
    Fault {
        /// Why it cannot be encoded.
        fault: Fault,
        /// The pump's next endpoint; `None` if the message ends the session. When it is dropped, the user's
        /// endpoint closes.
        next: Option<E>,
    },
}

/// The result of [`Relay::lower`].
#[derive(Debug)]
pub enum Lowered<E> {
    /// The message was sent to the user. Contains the pump's next endpoint.
    Next(E),
    /// The message was sent to the user, and ends the session.
    Last,
    /// The user has left.
    Left,
    /// It is not a message of this state, or cannot be decoded. The endpoint is closed.
    Fault(Fault),
}

/// A codec that can encode and decode payloads of the type `T`.
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` cannot carry a payload of the type `{T}`",
    label = "a message of this protocol has a payload that cannot travel: `{T}`",
    note = "with serde, it must be `Serialize` and `DeserializeOwned`; endpoints and borrowed data cannot travel"
)]
pub trait Carries<T> {
    /// Appends the encoded payload to `out`. Existing bytes must stay, also if this fails.
    ///
    /// # Errors
    ///
    /// [`Fault::Unencodable`].
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault>;

    /// Decodes a payload, which must use all of these bytes.
    ///
    /// # Errors
    ///
    /// [`Fault::Undecodable`], or [`Fault::LeftOver`] if the payload ends before the bytes do.
    fn get(&self, bytes: &[u8]) -> Result<T, Fault>;
}

/// A codec that can distinguish types with different shapes. With `#[remote(schema)]`, two programs refuse
/// each other if a payload type has the same name in both, but different fields.
#[diagnostic::on_unimplemented(
    message = "the codec `{Self}` cannot describe a payload of the type `{T}`",
    label = "`#[remote(schema)]` asks for the shape of each payload, and this one has none: `{T}`"
)]
pub trait Describes<T> {
    /// Returns a hash of the type's shape, which is the names and types of everything inside of it.
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

/// Receives a message of the user, and lets `message` encode it. Generated code implements [`Relay::lift`]
/// with this.
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

/// Encodes a payload, and drops it. A panic in its code becomes a fault.
///
/// The payload is dropped here and not in generated code. If its destructor panicked where the next endpoint
/// is part of the result, that endpoint would leak, and the user's end would never close.
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

/// Runs a codec, which runs the user's code. A panic becomes a fault.
#[inline]
fn caught<T>(code: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|panic| {
        // The payload of the panic may itself panic when it is dropped.
        discard(panic);
        Err(Fault::Panicked)
    })
}

/// Adds the name of the message to a fault.
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
