//! Pipes: the slots of sessions, of streams with one sender, and of oneshots.
//!
//! A pipe is a row of slots that two sides walk along. *Message `k` of a session lives in slot `k`*,
//! whichever way it travels: its sender writes the payload and swaps `FULL` into the slot's word, its
//! receiver finds that and takes it, and both go on to the next slot. While nothing is sent each side may
//! wait there, the receiver for the message and the sender for the receiver to leave, and says so in the
//! word. Nothing is queued, counted or locked; the position of each side is its own business and travels in
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
//! A message costs its sender one swap, and its receiver a load if the message is there, or one
//! compare-and-exchange to register if it has to wait. There is no third read-modify-write unless somebody
//! waits and gives up, or waits at the very end of a session. A sender that watches for the receiver to leave
//! pays two more, one to register and one to take that back before it sends; one that does not pays nothing
//! for it.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `message` | what a full slot says of its message |
//! | `state` | the states, the table of transitions, every atomic step of a slot |
//! | `kind` | how the memory of one kind of pipe is laid out |
//! | `slot` | a slot: its word, and room for a payload |
//! | `chain` | blocks of slots, handed back to the sender |
//! | `memory` | the shared allocation, and who frees it |
//! | `half` | one side: its slot, its marks |
//! | `policy` | where slot `k` is: rings and chains |
//! | `send`, `recv` | what a side does at a slot |
//! | `at_slot` | a side that waits at its slot |
//! | `role`, `session`, `flow` | the safe, typed face: endpoints of protocols; streams and oneshots |
//!
//! Each file uses only those above it.
//!
//! # Access
//!
//! Each field that is not atomic says where it is declared who may touch it when. In one sentence each:
//!
//! - a slot's payload is the sender's until it has published, then the receiver's until it has reset the
//!   word;
//! - a seat is its side's until that has registered there, then the other side's that finds it, until its
//!   step returns;
//! - a block's link is the sender's until it has published the block's last slot, then the receiver's;
//! - which block a side stands in is that side's; the stash of blocks is the side's whose turn it is to send;
//! - all of it belongs to the side that leaves second.

mod at_slot;
mod chain;
mod flow;
mod half;
mod kind;
mod memory;
mod message;
mod policy;
mod recv;
mod role;
mod send;
mod session;
mod slot;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

pub(crate) use self::flow::{Receiver, ReceiverOnce, Sender, SenderOnce, endless, once};
pub use self::policy::{Chain, Fixed, Inherited, Memory, Ring};
pub use self::role::{AsClient, AsServer, Role};
pub use self::session::{Endpoint, SentBy, State, pipe, pipe_in};
