//! Slots: memory for one message each, and everything unsafe that is done with it.

mod chain;
mod flow;
mod half;
mod kind;
mod message;
mod pipe;
mod recv;
mod send;
mod session;
mod state;
mod waiter;

pub(crate) use self::flow::{Receiver, ReceiverOnce, Sender, SenderOnce, endless, once};
pub use self::kind::{Chain, Memory, Ring};
pub(crate) use self::session::Received;
pub use self::session::{AsClient, AsServer, Endpoint, Role, State, pipe};
