//! Slots: memory for one message each, and all unsafe code that uses it.
//!
//! A sender writes a payload into a slot and marks the slot's word `FULL`; a receiver finds that and takes
//! the payload. A side that has nothing to do puts its waiter into a cell and marks the word, and the other
//! side's next swap finds the mark. All queues of messages are rows of such slots. They differ in how many
//! senders there are, and in where the next slot is. Three folders are different: `ready` is a list of tokens
//! and has no slots, and `prefetch` and `broadcast` have slots that are filled under a lock.
//!
//! | folder | one queue | sender | receiver |
//! |---|---|---|---|
//! | `pipe` | a session, a stream, a oneshot | one, at the next slot of a ring or of linked blocks | one |
//! | `bounded` | a stream with a limit | one, which waits for room | one |
//! | `shared` | a stream with many senders | *n*, which claim slots at one tail | one |
//! | `ready` | the members of a set that have become ready | *n*, which push their tokens | one, which takes all at once |
//! | `broadcast` | messages that each receiver gets | *n*, one at a time, with a lock | *n*, which all receive each message |
//! | `prefetch` | messages that were received ahead, for any of several receivers | one at a time, with a lock | *n*, which claim slots |
//!
//! Each folder has the same order: `state` (the states and every atomic step), the memory that the sides
//! share, `send`, `recv`, how a side leaves, and the typed interface.
//!
//! # What they share
//!
//! | file | what |
//! |---|---|
//! | `cache` | memory that a thread has freed, and keeps for its next pipes |
//! | `payload` | room for one payload, in slots that know its type |
//! | `outgoing` | values that are sent in runs, on their way out of a vector |
//! | `received` | the result of a receiver's look at its slot |
//! | `impossible` | the end of a program in which the library is broken |
//!
//! # Layers
//!
//! Uses `sync` and `wait`; used by `endpoint`, `broadcast`, `oneshot`, `stream`, `port_set`, `shared_port`
//! and, for the items that generated code refers to, `__private`.

mod bounded;
mod broadcast;
mod cache;
mod impossible;
mod outgoing;
mod payload;
mod pipe;
mod prefetch;
mod ready;
mod received;
mod shared;

pub(crate) use self::bounded::{BoundedReceiver, BoundedSender, Sent, bounded, is_addressable};
pub(crate) use self::broadcast::{BroadcastReceiver, BroadcastRing, Claimed, Locked};
pub(crate) use self::outgoing::Outgoing;
pub(crate) use self::pipe::is_client;
pub use self::pipe::{
    AsClient, AsServer, Chain, Endpoint, Fixed, Inherited, Memory, Only, Ring, Role, SentBy, State,
};
pub(crate) use self::pipe::{Receiver, ReceiverOnce, Sender, SenderOnce, once, unbounded};
pub use self::pipe::{pipe, pipe_in};
pub(crate) use self::prefetch::PrefetchBuffer;
pub use self::ready::Token;
pub(crate) use self::ready::{ReadyList, register_after_look, register_token, unregister_token};
pub(crate) use self::received::Received;
#[cfg(pipes_loom)]
pub use self::shared::Semaphore;
pub(crate) use self::shared::{SharedReceiver, SharedSender, WeakSender, shared};
