//! Slots: memory for one message each, and everything unsafe that is done with it.
//!
//! A sender writes a payload into a slot and swaps `FULL` into the slot's word; a receiver finds that and
//! takes the payload. A side that has nothing to do leaves its waiter in a seat and says so in the word, and
//! the other side's next swap finds it. All queues of this library are rows of such slots. They differ in who
//! may stand at a slot, and in where the next one is.
//!
//! | room | one queue | sender | receiver |
//! |---|---|---|---|
//! | `pipe` | a session, a stream, a oneshot | one, at the next slot of a ring or of linked blocks | one |
//! | `bounded` | a stream with a limit | one, which waits for room | one |
//! | `shared` | a stream with many senders | many, which claim slots at one tail | one |
//! | `ready` | the members of a set that have become ready | many, which push their tokens | one, which takes all at once |
//!
//! Each room has the same order: `state` (the states and every atomic step), the memory that the sides share,
//! `send`, `recv`, how a side leaves, and the typed face.
//!
//! # What they share
//!
//! | file | what |
//! |---|---|
//! | `waiter` | who waits |
//! | `seat` | the seats that waiters sit in |
//! | `record` | a seat on the heap, where more than one may wake the same owner |
//! | `wait` | waiting itself, the same wherever there is a word to register in |
//! | `payload` | room for one payload, in slots that know its type |
//! | `received` | what a receiver finds |
//! | `impossible` | the end of a program that broke a table |
//!
//! # Layers
//!
//! Uses `sync`; used by `endpoint`, `oneshot`, `stream` and, for what generated code names, `__private`.

mod bounded;
mod impossible;
mod payload;
mod pipe;
mod ready;
mod received;
mod record;
mod seat;
mod shared;
mod wait;
mod waiter;

pub(crate) use self::bounded::{BoundedReceiver, BoundedSender, Sent, bounded};
pub use self::pipe::{
    AsClient, AsServer, Chain, Endpoint, Fixed, Inherited, Memory, Ring, Role, SentBy, State,
};
pub(crate) use self::pipe::{Receiver, ReceiverOnce, Sender, SenderOnce, endless, once};
pub use self::pipe::{pipe, pipe_in};
pub(crate) use self::ready::ReadyList;
pub use self::ready::Token;
pub(crate) use self::received::Received;
pub(crate) use self::shared::{SharedReceiver, SharedSender, shared};
