//! Services: a server that a client gets a pipe to.

use crate::endpoint::RecvError;
use crate::protocol::Protocol;
use crate::stream::{IntoIter, Iter, Port, SharedChan, shared_stream};
use crate::sync::spawn;
use futures_core::{FusedStream, Stream};
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Starts a thread that serves one pipe, and gives the client's end.
///
/// If the thread panics, or the system has none left, the client finds its pipe closed.
///
/// ```
/// pipes::proto! {
///     doubling { number: send { double(u32) -> answer } answer: recv { is(u32) -> number } }
/// }
///
/// let client = pipes::spawn_service::<doubling::Protocol>(|mut server| {
///     while let Ok(doubling::Number::Double(number, asking)) = server.recv() {
///         let Ok(next) = asking.is(number * 2) else { return };
///         server = next;
///     }
/// });
/// let doubling::Answer::Is(number, _client) = client.double(21)?.recv()?;
/// assert_eq!(number, 42);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spawn_service<P>(serve: impl FnOnce(P::Server) + Send + 'static) -> P::Client
where
    P: Protocol<Server: Send + 'static>,
{
    let (client, server) = P::pipe();
    spawn(move || serve(server));
    client
}

/// A service that many clients connect to: each [`connect`](Connector::connect) makes a fresh pipe, whose server end travels to the
/// listener.
///
/// The listener serves as it likes. One client at a time:
///
/// ```
/// pipes::proto! {
///     pub greeting { hello: send { hello(&'static str) -> ! } }
/// }
///
/// let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
/// for name in ["ada", "eric"] {
///     let connector = connector.clone();
///     std::thread::spawn(move || connector.connect().map(|client| client.hello(name)));
/// }
/// drop(connector);
///
/// let mut names = Vec::new();
/// for server in &mut listener {
///     let Ok(greeting::Hello::Hello(name)) = server.recv() else { continue };
///     names.push(name);
/// }
/// names.sort();
/// assert_eq!(names, ["ada", "eric"]);
/// ```
///
/// A thread, or a task, for each: `for server in listener { std::thread::spawn(move || serve(server)); }`. All in one thread: the
/// servers' ends are members of a [`PortSet`](crate::PortSet), and [`select!`](crate::select!) waits for the listener and the set, each
/// as long as there is something to come from it:
///
/// ```
/// # pipes::proto! { pub greeting { hello: send { hello(&'static str) -> ! } } }
/// # let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
/// # for name in ["ada", "eric"] { connector.connect()?.hello(name)?; }
/// # drop(connector);
/// # let mut names = Vec::new();
/// let (mut servers, mut open) = (pipes::PortSet::new(), true);
/// loop {
///     pipes::select! {
///         server = listener, if open => match server {
///             Ok(server) => drop(servers.insert(server)),
///             Err(_) => open = false,
///         },
///         turn = servers, if !servers.is_empty() => match turn? {
///             (_client, Ok(greeting::Hello::Hello(name))) => names.push(name),
///             (_client, Err(pipes::Closed)) => {}
///         },
///         else => break,
///     }
/// }
/// # assert_eq!(names, ["ada", "eric"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn listen<P: Protocol>() -> (Connector<P>, Listener<P>) {
    let (chan, port) = shared_stream();
    (Connector(chan), Listener(port))
}

/// The clients' end of a service; see [`listen`]. Clone it for each client.
///
/// The service ends when the last connector has gone.
pub struct Connector<P: Protocol>(SharedChan<P::Server>);

/// The server's end of a service; see [`listen`]. Dropping it ends the service: who has connected and was not accepted finds the
/// pipe closed.
///
/// It receives the servers' ends of fresh pipes, with the verbs of a [`Port`]; it is an iterator's worth of them
/// ([`iter`](Listener::iter), `for server in listener`), and a [`Stream`].
#[must_use = "dropping a Listener ends the service"]
pub struct Listener<P: Protocol>(Port<P::Server>);

/// The service has ended: nobody listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectError;

impl<P: Protocol> Connector<P> {
    /// A fresh pipe to the service: the client's end. Never blocks; whether and when it is served is the service's business.
    ///
    /// # Errors
    ///
    /// The service has ended.
    pub fn connect(&self) -> Result<P::Client, ConnectError> {
        let (client, server) = P::pipe();
        self.0.send(server).map_err(|_| ConnectError)?;
        Ok(client)
    }

    /// Has the service ended? `true` stays true; `false` may be old news at once.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl<P: Protocol> Listener<P> {
    /// The next client's pipe; blocks the thread until somebody connects.
    ///
    /// # Errors
    ///
    /// The last connector has gone, and all who had connected were accepted.
    pub fn accept(&mut self) -> Result<P::Server, RecvError> {
        self.recv()
    }

    /// The clients' pipes until the last connector has gone; blocks the thread for each.
    pub fn iter(&mut self) -> Iter<'_, P::Server> {
        self.0.iter()
    }
}

crate::endpoint::__port_inside! { impl [P: Protocol] for Listener<P>, port 0 of P::Server }

impl<P: Protocol> IntoIterator for Listener<P> {
    type Item = P::Server;
    type IntoIter = IntoIter<P::Server>;

    fn into_iter(self) -> IntoIter<P::Server> {
        self.0.into_iter()
    }
}

impl<'a, P: Protocol> IntoIterator for &'a mut Listener<P> {
    type Item = P::Server;
    type IntoIter = Iter<'a, P::Server>;

    fn into_iter(self) -> Iter<'a, P::Server> {
        self.iter()
    }
}

impl<P: Protocol> Stream for Listener<P> {
    type Item = P::Server;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<P::Server>> {
        Pin::new(&mut self.0).poll_next(cx)
    }
}

impl<P: Protocol> FusedStream for Listener<P> {
    fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }
}

impl<P: Protocol> Clone for Connector<P> {
    fn clone(&self) -> Self {
        Connector(self.0.clone())
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the service has ended: nobody listens")
    }
}

impl Error for ConnectError {}

impl<P: Protocol> fmt::Debug for Connector<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").field("closed", &self.is_closed()).finish()
    }
}

impl<P: Protocol> fmt::Debug for Listener<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listener").field(&self.0).finish()
    }
}
