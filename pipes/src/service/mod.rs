//! Services: a server, and a pipe to it for each client.

mod connector;
mod listener;
mod sessions;

pub use self::connector::{Connector, ListenerClosed, TryConnectError};
pub use self::listener::Listener;
pub use self::sessions::Session;
pub(crate) use self::sessions::Sessions;

use crate::protocol::Protocol;
use crate::stream::{shared_stream, shared_sync_stream};
use crate::sync::spawn;

/// Starts a thread that serves one pipe, and returns the client's end.
///
/// If the thread panics, or cannot be started, the client finds its pipe closed.
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
    spawn("service", move || serve(server));
    client
}

/// Creates a service that many clients can connect to: each [`connect`](Connector::connect) creates a pipe,
/// whose server end is sent to the listener.
///
/// To serve one client at a time:
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
/// The protocol's type is written here because `connect` comes first: the compiler must know it before a
/// method is called. If both ends first go to functions that name the type, `listen()` is enough.
///
/// To serve each client in its own thread:
/// `for server in listener { std::thread::spawn(move || serve(server)); }`. To serve all in one thread,
/// insert the server ends into a [`PortSet`](crate::PortSet), and wait with [`select!`](crate::select!) for
/// the listener and the set, each until it has ended:
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
    let sessions = Sessions::new();
    (Connector::new(chan, sessions.clone()), Listener::new(port, sessions))
}

/// Creates a service as [`listen`] does, with a limit on the clients that have connected and were not
/// accepted. When there are `backlog` of them, the next [`connect`](Connector::connect) waits, in a line with
/// others, until one is accepted.
///
/// ```
/// pipes::proto! {
///     pub greeting { hello: send { hello(&'static str) -> ! } }
/// }
///
/// let (connector, mut listener) = pipes::listen_with_backlog::<greeting::Protocol>(1);
/// let first = connector.connect()?;
/// assert_eq!(connector.try_connect().map(drop), Err(pipes::TryConnectError::Full));
/// let server = listener.accept()?;
/// assert!(connector.try_connect().is_ok(), "the first was accepted");
/// # drop((first, server));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if the backlog is 0.
#[track_caller]
pub fn listen_with_backlog<P: Protocol>(backlog: usize) -> (Connector<P>, Listener<P>) {
    assert!(backlog > 0, "`listen_with_backlog`: the backlog is 0");
    let (chan, port) = shared_sync_stream(backlog);
    let sessions = Sessions::new();
    (Connector::new(chan, sessions.clone()), Listener::new(port, sessions))
}
