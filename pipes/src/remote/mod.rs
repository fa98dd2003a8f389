//! Protocols between processes: what a protocol with `#[remote]` needs, whatever carries its bytes.
//!
//! This crate opens no connection. It has the traits that generated code uses and that a crate such as
//! `pipes_remote` implements: how messages become bytes ([`Carries`]), how a session with another program
//! begins ([`Dial`], [`Serve`]), and why it ended ([`Link`], [`Cause`]).
//!
//! ```text
//! program A                                                     program B
//! user ── Client<S> ═ pipe ═ Server<S> ── pump ── bytes ── pump ── Client<S> ═ pipe ═ Server<S> ── user
//! ```
//!
//! A *pump* moves messages between a pipe and a connection. It holds the other end of the user's pipe, so the
//! user's end has the same types and methods as in a pipe inside of one program.
//!
//! | item | used by |
//! |---|---|
//! | [`Link`], [`Cause`], [`Fault`], [`NotDelivered`] | programs that need to know why a session ended |
//! | [`Peer`], [`Fingerprint`] | programs that need to know who is at the other end |
//! | [`Dial`], [`Serve`], [`Accepting`], [`named_pipe()`], [`IS_RECORDED`] | packages that connect programs |
//! | [`Remote`], [`Relay`], [`Carries`], [`Describes`], [`Lifted`], [`Incoming`], [`Lowered`] | pumps, and codecs |
//! | [`Window`], [`Ticket`] | pumps, for flow control |
//!
//! # Layers
//!
//! Uses `service` and what is below it; used by `__private`.

mod accepting;
mod fault;
mod fingerprint;
mod link;
mod macros;
mod named_pipe;
mod peer;
pub(crate) mod relay;
mod via;
mod window;

pub use self::accepting::{Accepting, Room, accepting};
pub use self::fault::Fault;
pub use self::fingerprint::{Fingerprint, NoFingerprint};
pub use self::link::{Cause, Link, Linked, NotDelivered};
pub use self::named_pipe::{IS_RECORDED, named_pipe};
pub use self::peer::Peer;
pub use self::relay::{Carries, Describes, Incoming, Lifted, Lowered, Notice, Relay, Remote, combine};
pub use self::via::{Dial, Serve};
pub use self::window::{Ticket, Window};
pub use crate::service::Session;
