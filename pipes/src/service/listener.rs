//! The server's end of a service.

use super::sessions::Sessions;
use crate::endpoint::RecvError;
use crate::protocol::Protocol;
use crate::stream::{IntoIter, Iter, Port};
use crate::wait::{Other, wait_until};
use futures_core::{FusedStream, Stream};
use std::fmt;
use std::future::{Future, poll_fn};
use std::marker::PhantomData;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// The server's end of a service; see [`listen`](super::listen). Dropping it ends the service: clients that
/// have connected and were not accepted find their pipes closed.
///
/// It receives the server ends of new pipes, with the methods of a [`Port`]; it can be iterated
/// ([`iter`](Listener::iter), `for server in listener`), and is a [`Stream`].
///
/// `E` is what comes out of it for each client: the server's end, or that with a
/// [`Link`](crate::remote::Link) beside it.
#[must_use = "dropping a Listener ends the service"]
pub struct Listener<P: Protocol, E = <P as Protocol>::Server> {
    port: Port<E>,
    sessions: Sessions,
    protocol: PhantomData<fn() -> P>,
}

impl<P: Protocol, E> Listener<P, E> {
    pub(crate) fn new(port: Port<E>, sessions: Sessions) -> Self {
        Listener { port, sessions, protocol: PhantomData }
    }

    /// Returns the server end of the next client's pipe, waiting until a client connects.
    ///
    /// Blocks the thread; in a task, use the listener as a stream instead.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
    /// let client = connector.connect()?;
    /// let server = listener.accept()?;
    /// client.hello("good morning")?;
    /// assert!(server.recv().is_ok());
    ///
    /// drop(connector);
    /// assert!(listener.accept().is_err(), "no client can connect any more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The last connector was dropped, and all connections were accepted.
    #[track_caller]
    pub fn accept(&mut self) -> Result<E, RecvError> {
        self.recv()
    }

    /// Returns an iterator over the server ends of the clients' pipes, until the last connector is dropped.
    ///
    /// Blocks the thread; in a task, use the listener as a stream instead.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
    /// for name in ["Ada", "Grace"] {
    ///     connector.connect()?.hello(name)?;
    /// }
    /// drop(connector);
    /// let mut guests = Vec::new();
    /// for server in listener.iter() {
    ///     let greeting::Hello::Hello(name) = server.recv()?;
    ///     guests.push(name);
    /// }
    /// assert_eq!(guests, ["Ada", "Grace"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn iter(&mut self) -> Iter<'_, E> {
        self.port.iter()
    }

    /// Accepts no more clients, and returns those that have connected and were not accepted. Never blocks.
    ///
    /// A listener for other programs gives up its address. Sessions that were accepted go on.
    ///
    /// ```
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, listener) = pipes::listen::<greeting::Protocol>();
    /// connector.connect()?.hello("good morning")?;
    /// let waiting = listener.close();
    /// assert!(connector.connect().is_err());
    /// for server in waiting {
    ///     assert!(server.recv().is_ok());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the clients that were not accepted are returned; to drop them, drop the listener"]
    pub fn close(self) -> Vec<E> {
        self.port.close()
    }

    /// Accepts no more clients, waits for at most `timeout` until the sessions with other programs have
    /// ended, and closes the others. Returns how many it has closed.
    ///
    /// Blocks the thread; in a task, use [`shutdown_async`](Listener::shutdown_async) instead.
    ///
    /// Clients that were not accepted find their pipes closed. Sessions whose client is in this program are
    /// not waited for: both ends are in this program's hands, and to close a session, drop one of them.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// pipes::proto! {
    ///     greeting { hello: send { hello(&'static str) -> ! } }
    /// }
    ///
    /// let (connector, listener) = pipes::listen::<greeting::Protocol>();
    /// let client = connector.connect()?;
    /// assert_eq!(listener.shutdown(Duration::from_secs(1)), 0, "no other program is there");
    /// assert!(client.hello("good morning").is_err(), "it was not accepted");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn shutdown(self, timeout: Duration) -> usize {
        let sessions = self.into_sessions();
        let deadline = Instant::now().checked_add(timeout);
        let ends = Other("the sessions with other programs to end");
        wait_until(Location::caller(), &ends, || deadline, |cx| sessions.poll_ended(cx));
        sessions.close()
    }

    /// Accepts no more clients, and waits, in a task, until the sessions with other programs have ended; see
    /// [`shutdown`](Listener::shutdown). Give it a time limit with your runtime's timeout.
    ///
    /// # Cancel safety
    ///
    /// The listener ends at once, not at the first poll. Dropping the future closes the sessions that have
    /// not ended.
    pub fn shutdown_async(self) -> impl Future<Output = ()> + Send + use<P, E> {
        let sessions = ClosedWhenDropped(self.into_sessions());
        async move { poll_fn(|cx| sessions.0.poll_ended(cx)).await }
    }

    /// Drops the port, with the clients that were not accepted.
    fn into_sessions(self) -> Sessions {
        let Listener { port, sessions, .. } = self;
        drop(port);
        sessions
    }
}

/// Sessions that are closed when the wait for their end is given up.
struct ClosedWhenDropped(Sessions);

impl Drop for ClosedWhenDropped {
    fn drop(&mut self) {
        self.0.close();
    }
}

crate::endpoint::__port_inside! { impl [P: Protocol, E] for Listener<P, E>, port port of E, shown as "Listener" }

impl<P: Protocol, E> IntoIterator for Listener<P, E> {
    type Item = E;
    type IntoIter = IntoIter<E>;

    #[track_caller]
    fn into_iter(self) -> IntoIter<E> {
        self.port.into_iter()
    }
}

impl<'a, P: Protocol, E> IntoIterator for &'a mut Listener<P, E> {
    type Item = E;
    type IntoIter = Iter<'a, E>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, E> {
        self.iter()
    }
}

/// Gives way to other tasks as [`recv_async`](Listener::recv_async) does.
impl<P: Protocol, E> Stream for Listener<P, E> {
    type Item = E;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<E>> {
        Pin::new(&mut self.port).poll_next(cx)
    }
}

impl<P: Protocol, E> FusedStream for Listener<P, E> {
    fn is_terminated(&self) -> bool {
        self.port.is_terminated()
    }
}

impl<P: Protocol, E> fmt::Debug for Listener<P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listener").field(&self.port).finish()
    }
}
