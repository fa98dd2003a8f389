//! Delivers sessions from other programs to a listener.

use super::link::Link;
use super::named_pipe::held;
use crate::endpoint::TrySendError;
use crate::protocol::Protocol;
use crate::service::{Connector, Listener, Session, Sessions};
use crate::stream::{Permit, SharedChan, shared_sync_stream};
use crate::wait::{Holder, uses};
use std::fmt;
use std::future::poll_fn;

/// The other end of a [`Listener`], where a package delivers the sessions that it accepts.
pub struct Accepting<P: Protocol, E> {
    chan: SharedChan<E>,
    sessions: Sessions,
    accepted: fn(P::Server, Link) -> E,
}

/// Room for one session in the queue of a listener.
pub struct Room<'a, P: Protocol, E> {
    permit: Permit<'a, E>,
    /// The channel of the queue.
    channel: usize,
    sessions: &'a Sessions,
    accepted: fn(P::Server, Link) -> E,
}

/// Creates a listener, and the end where sessions are delivered. At most `backlog` sessions wait to be
/// accepted.
///
/// # Panics
///
/// Panics if the backlog is 0.
#[track_caller]
pub fn accepting<P: Protocol, E>(
    backlog: usize,
    accepted: fn(P::Server, Link) -> E,
) -> (Accepting<P, E>, Listener<P, E>) {
    assert!(backlog > 0, "`accepting`: the backlog is 0");
    let (chan, port) = shared_sync_stream(backlog);
    let sessions = Sessions::new();
    (Accepting { chan, sessions: sessions.clone(), accepted }, Listener::new(port, sessions))
}

impl<P: Protocol> Accepting<P, P::Server> {
    /// Returns an end that delivers sessions to the service of this connector, which has clients in this
    /// program, too.
    pub fn of(connector: &Connector<P>) -> Self {
        let (chan, sessions) = connector.parts();
        Accepting { chan, sessions, accepted: |server, _| server }
    }
}

impl<P: Protocol, E> Accepting<P, E> {
    /// Takes room for one session. Never blocks.
    ///
    /// # Errors
    ///
    /// Returns `Full` if there is no room, and `Closed` if the listener was dropped.
    pub fn try_room(&self) -> Result<Room<'_, P, E>, TrySendError<()>> {
        let permit = self.chan.try_reserve()?;
        Ok(Room { permit, channel: self.chan.channel(), sessions: &self.sessions, accepted: self.accepted })
    }

    /// Waits, in a task, until the listener was dropped. Cancel-safe.
    pub async fn closed(&self) {
        let mut chan = self.chan.clone();
        // What a task of this library waits for is not recorded.
        poll_fn(|cx| chan.poll_closed(cx)).await;
    }

    /// Returns `true` if the listener was dropped.
    pub fn is_closed(&self) -> bool {
        self.chan.is_closed()
    }
}

impl<P: Protocol, E> Room<'_, P, E> {
    /// Delivers a session, and returns the client's end of its pipe for the pump. Returns `None` if the
    /// listener was dropped. `name` is the session's name, if it has one; see
    /// [`named_pipe`](super::named_pipe()).
    pub fn deliver(self, link: Link, name: Option<&str>) -> Option<(P::Client, Session)> {
        let holders = [held(name), Some(Holder::Backlog(self.channel))];
        let (client, server) = uses::made_for(holders, P::pipe);
        let session = self.sessions.enter();
        self.permit.send((self.accepted)(server, link)).ok()?;
        Some((client, session))
    }
}

impl<P: Protocol, E> fmt::Debug for Accepting<P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accepting").field("closed", &self.is_closed()).finish()
    }
}

impl<P: Protocol, E> fmt::Debug for Room<'_, P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}
