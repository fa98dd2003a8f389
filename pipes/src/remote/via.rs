//! Where the other program is.

use super::link::Link;
use super::relay::Remote;
use crate::service::Listener;
use std::error::Error;
use std::future::Future;

/// Where sessions of the protocol `P` can be begun: an address, and what else it takes to get there. What
/// `bank::connect` takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place to which a session of `{P}` can be connected",
    label = "not an address"
)]
pub trait Dial<P: Remote> {
    /// Why there is no session.
    type Error: Error + Send + Sync + 'static;

    /// Begins a session, waiting until the other program has accepted or refused it, or the time for that is
    /// over.
    ///
    /// Blocks the thread; in a task, use [`dial_async`](Dial::dial_async) instead.
    ///
    /// # Errors
    ///
    /// The other program cannot be reached, or refuses.
    fn dial(&self) -> Result<(P::Client, Link), Self::Error>;

    /// Begins a session, in a task.
    ///
    /// # Errors
    ///
    /// The other program cannot be reached, or refuses.
    fn dial_async(&self) -> impl Future<Output = Result<(P::Client, Link), Self::Error>> + Send;
}

/// Where sessions of the protocol `P` can be accepted, each of which becomes an `E`. What `bank::listen`
/// takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place at which sessions of `{P}` can be accepted",
    label = "not an address"
)]
pub trait Serve<P: Remote, E> {
    /// Why it is not possible to listen there.
    type Error: Error + Send + Sync + 'static;

    /// Begins to listen, waiting until the address is known and taken.
    ///
    /// Blocks the thread; in a task, use [`serve_async`](Serve::serve_async) instead.
    ///
    /// Each session comes out of the listener as what `accepted` makes of it.
    ///
    /// # Errors
    ///
    /// The address cannot be taken.
    fn serve(&self, accepted: fn(P::Server, Link) -> E) -> Result<Listener<P, E>, Self::Error>;

    /// Begins to listen, in a task.
    ///
    /// # Errors
    ///
    /// The address cannot be taken.
    fn serve_async(
        &self,
        accepted: fn(P::Server, Link) -> E,
    ) -> impl Future<Output = Result<Listener<P, E>, Self::Error>> + Send;
}
