//! The clients' end of a service.

use super::sessions::Sessions;
use crate::endpoint::{Event, SendTimeoutError, SessionError, TrySendError};
use crate::protocol::Protocol;
use crate::stream::{Permit, SharedChan};
use crate::wait::{Holder, uses};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The clients' end of a service; see [`listen`](super::listen). Clone it for each client.
///
/// The service ends when the last connector is dropped.
pub struct Connector<P: Protocol> {
    chan: SharedChan<P::Server>,
    /// The service's sessions with other programs.
    sessions: Sessions,
}

/// The service has ended: its listener was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenerClosed;

/// Why a client could not connect at once, or in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryConnectError {
    /// There is no room among the clients that wait to be accepted.
    Full,
    /// The service has ended: its listener was dropped.
    Closed,
}

impl<P: Protocol> Connector<P> {
    pub(super) fn new(chan: SharedChan<P::Server>, sessions: Sessions) -> Self {
        Connector { chan, sessions }
    }

    /// Returns what a service is made of, for clients in other programs.
    pub(crate) fn parts(&self) -> (SharedChan<P::Server>, Sessions) {
        (self.chan.clone(), self.sessions.clone())
    }

    /// Creates a pipe to the service, and returns the client's end.
    ///
    /// Blocks the thread if the service has a limit; in a task, use
    /// [`connect_async`](Connector::connect_async) instead.
    ///
    /// It does not wait to be accepted. If the service has a [limit](super::listen_with_backlog), it waits
    /// for room among the clients that wait to be accepted.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
    /// connector.connect()?.hello("good morning")?;
    /// let greeting::Hello::Hello(words) = listener.accept()?.recv()?;
    /// assert_eq!(words, "good morning");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The service has ended.
    #[track_caller]
    pub fn connect(&self) -> Result<P::Client, ListenerClosed> {
        self.connect_with(self.chan.reserve().map_err(|_| ListenerClosed)?)
    }

    /// Connects if there is room among the clients that wait to be accepted. Never blocks.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, _listener) = pipes::listen_with_backlog::<greeting::Protocol>(1);
    /// let _client = connector.try_connect()?;
    /// assert!(connector.try_connect().is_err(), "one client waits to be accepted");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, or others wait for it; `Closed` if the service has ended.
    pub fn try_connect(&self) -> Result<P::Client, TryConnectError> {
        let permit = self.chan.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => TryConnectError::Full,
            TrySendError::Closed(()) => TryConnectError::Closed,
        })?;
        self.connect_with(permit).map_err(|ListenerClosed| TryConnectError::Closed)
    }

    /// Connects, waiting for at most `timeout` for room among the clients that wait to be accepted.
    ///
    /// Blocks the thread; in a task, use [`connect_async`](Connector::connect_async) under a timeout instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, _listener) = pipes::listen_with_backlog::<greeting::Protocol>(1);
    /// let _client = connector.connect()?;
    /// let late = connector.connect_timeout(Duration::from_millis(1));
    /// assert_eq!(late.map(drop), Err(pipes::TryConnectError::Full));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there was no room in time; `Closed` if the service has ended.
    #[track_caller]
    pub fn connect_timeout(&self, timeout: Duration) -> Result<P::Client, TryConnectError> {
        let permit = self.chan.reserve_timeout(timeout).map_err(|error| match error {
            SendTimeoutError::Timeout(()) => TryConnectError::Full,
            SendTimeoutError::Closed(()) => TryConnectError::Closed,
        })?;
        self.connect_with(permit).map_err(|ListenerClosed| TryConnectError::Closed)
    }

    /// Connects, in a task, when there is room among the clients that wait to be accepted. It does not wait
    /// to be accepted.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, mut listener) = pipes::listen_with_backlog::<greeting::Protocol>(8);
    /// connector.connect_async().await?.hello("good morning")?;
    /// let server = listener.recv_async().await?;
    /// assert!(server.recv_async().await.is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a future that is dropped has not connected, and loses its place in the line. A future
    /// that was polled and is neither polled again nor dropped keeps its place, and the room when it is
    /// granted.
    ///
    /// # Panics
    ///
    /// The future panics if it is polled after it has completed.
    ///
    /// # Errors
    ///
    /// The service has ended.
    pub async fn connect_async(&self) -> Result<P::Client, ListenerClosed> {
        self.connect_with(self.chan.reserve_async().await.map_err(|_| ListenerClosed)?)
    }

    fn connect_with(&self, permit: Permit<'_, P::Server>) -> Result<P::Client, ListenerClosed> {
        let holders = [None, Some(Holder::Backlog(self.chan.channel()))];
        let (client, server) = uses::made_for(holders, P::pipe);
        permit.send(server).map_err(|_| ListenerClosed)?;
        Ok(client)
    }

    /// Returns `true` if the service has ended. `true` stays true; `false` may already be stale.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, listener) = pipes::listen::<greeting::Protocol>();
    /// assert!(!connector.is_closed());
    /// drop(listener);
    /// assert!(connector.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        self.chan.is_closed()
    }
}

impl<P: Protocol> Clone for Connector<P> {
    fn clone(&self) -> Self {
        Connector { chan: self.chan.clone(), sessions: self.sessions.clone() }
    }
}

impl fmt::Display for ListenerClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the service has ended")
    }
}

impl Error for ListenerClosed {}

impl fmt::Display for TryConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TryConnectError::Full => f.write_str("there is no room among the clients that wait"),
            TryConnectError::Closed => ListenerClosed.fmt(f),
        }
    }
}

impl Error for TryConnectError {}

impl<P: Protocol> fmt::Debug for Connector<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").field("closed", &self.is_closed()).finish()
    }
}

impl From<ListenerClosed> for SessionError {
    #[track_caller]
    fn from(ListenerClosed: ListenerClosed) -> Self {
        SessionError::new(Event::ReceiverLeft, None)
    }
}

impl From<TryConnectError> for SessionError {
    #[track_caller]
    fn from(error: TryConnectError) -> Self {
        let event = match error {
            TryConnectError::Full => Event::NoRoom,
            TryConnectError::Closed => Event::ReceiverLeft,
        };
        SessionError::new(event, None)
    }
}
