//! Addresses of other programs.

use super::link::Link;
use super::relay::Remote;
use crate::service::Listener;
use std::error::Error;
use std::future::Future;

/// An address to which sessions of the protocol `P` can be connected. `bank::connect` takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place to which a session of `{P}` can be connected",
    label = "not an address"
)]
pub trait Dial<P: Remote> {
    /// The error if there is no session.
    type Error: Error + Send + Sync + 'static;

    /// Begins a session. Waits until the other program has accepted or refused it, or until the time for
    /// that is over.
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

/// An address at which sessions of the protocol `P` can be accepted. Each becomes an `E`. `bank::listen`
/// takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place at which sessions of `{P}` can be accepted",
    label = "not an address"
)]
pub trait Serve<P: Remote, E> {
    /// The error if it is not possible to listen there.
    type Error: Error + Send + Sync + 'static;

    /// Begins to listen. Waits until the address is resolved and bound.
    ///
    /// Blocks the thread; in a task, use [`serve_async`](Serve::serve_async) instead.
    ///
    /// `accepted` converts each session to what comes out of the listener.
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
    fn serve(&self, accepted: fn(P::Server, Link) -> E) -> Result<Listener<P, E>, Self::Error>;

    /// Begins to listen, in a task.
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
    fn serve_async(
        &self,
        accepted: fn(P::Server, Link) -> E,
    ) -> impl Future<Output = Result<Listener<P, E>, Self::Error>> + Send;
}
