//! Pipes of sessions whose names are known in both programs.

use crate::protocol::Protocol;
use crate::wait::{Holder, uses};

/// `true` with the feature `inspect`, which records what happens to channels.
pub const IS_RECORDED: bool = cfg!(feature = "inspect");

/// Creates the pipe of a session that this program has connected. Its pump holds the server's end.
///
/// `name` is what both programs, and no other session, call this session. With the feature `inspect`, a
/// [`snapshot`](crate::inspect::snapshot()) has it, so that a program that looks at both sees which ends
/// belong together. Without the feature it is of no use; see [`IS_RECORDED`].
pub fn named_pipe<P: Protocol>(name: Option<&str>) -> (P::Client, P::Server) {
    uses::made_for([None, held(name)], P::pipe)
}

/// Returns what holds the end of a pump.
pub(super) fn held(name: Option<&str>) -> Option<Holder> {
    name.map(|name| Holder::Link(name.into()))
}
