//! Pipes: the slots of sessions, of streams with one sender, and of oneshots.
//!
//! A pipe is a row of slots that two sides walk along. *Message `k` of a session lies in slot `k`*, whichever
//! direction it travels in: its sender writes the payload and swaps `FULL` into the slot's word, its receiver
//! finds that and takes the payload, and both go on to the next slot. While nothing is sent, each side may
//! wait there, and says so in the word: the receiver waits for the message, and the sender for the receiver
//! to leave. Nothing is queued, counted or locked. Only the side itself knows its position, which travels in
//! its endpoint.
//!
//! ```text
//!   client                     word    payload
//!     │ publish ──────► slot 0 FULL  │ login("ada", …) │ ◄────── take       server
//!     │                 slot 1 EMPTY │                 │ ◄────── publish      │
//!     └─ look, wait ──► slot 1 …
//! ```
//!
//! # Costs
//!
//! A message costs its sender one swap. It costs its receiver one load if the message is there, or one
//! compare-and-exchange to register if the receiver has to wait. There is a third read-modify-write only if a
//! side stops waiting before anything has happened, or waits at the very end of a session. A sender that
//! watches for the receiver to leave pays two more, one to register and one to unregister before it sends. A
//! sender that does not watch pays nothing for this.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `message` | the description of a message, which a full slot refers to |
//! | `state` | the states, the table of transitions, every atomic step of a slot |
//! | `kind` | the memory layout of one kind of pipe, as a value and as a type |
//! | `slot` | a slot: its word, and room for a payload |
//! | `chain` | blocks of slots, handed back to the sender |
//! | `memory` | the shared allocation, and which side frees it |
//! | `half` | one side: the slot at which it stands, and how it moves on |
//! | `policy` | where slot `k` is: rings and chains |
//! | `send`, `recv` | sending, receiving and leaving at a slot |
//! | `run` | sending and receiving several messages in one step |
//! | `waiting` | waiting at a slot |
//! | `role`, `state_trait`, `session` | the typed, safe interface of sessions: endpoints |
//! | `stream`, `oneshot` | the typed, safe interface of streams with one sender, and of oneshots |
//!
//! Each file uses only those above it.
//!
//! # Access
//!
//! The declaration of each field that is not atomic says which side may touch it, and when. In short:
//!
//! - a slot's payload is the sender's until it has published, and then the receiver's until it has reset the
//!   word;
//! - a cell is its side's until that side has registered there; then, if the other side finds the mark, it
//!   belongs to that side until its step returns;
//! - a block's link is the sender's until it has published the block's last slot, and then the receiver's;
//! - the block in which a side stands is known only to that side; the local list of free blocks belongs to
//!   the side whose turn it is to send;
//! - when both sides have left, everything belongs to the one that left second.

mod chain;
mod half;
mod kind;
mod memory;
mod message;
mod oneshot;
mod policy;
mod recv;
mod role;
mod run;
mod send;
mod session;
mod slot;
mod state;
mod state_trait;
mod stream;
#[cfg(all(test, not(pipes_loom)))]
mod tests;
mod waiting;

pub use self::kind::{Fixed, Inherited, Memory};
pub(crate) use self::oneshot::{ReceiverOnce, SenderOnce, once};
pub use self::policy::{Chain, Ring};
pub(crate) use self::role::is_client;
pub use self::role::{AsClient, AsServer, Role};
pub use self::session::{Endpoint, pipe, pipe_in};
pub use self::state_trait::{Only, SentBy, State};
pub(crate) use self::stream::{Receiver, Sender, unbounded};
