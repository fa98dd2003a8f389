//! `Via`: the address of another program, with its settings.

use crate::admission::Filter;
use crate::codec::{Codec, Postcard};
use crate::dial::dial;
use crate::engine::Engine;
use crate::error::{AcceptError, ConnectError, ListenError};
use crate::runtime::{block_on, is_inside, spawn};
use crate::settings::Settings;
use crate::site::Site;
use pipes::remote::{Accepting, Dial, Link, Peer, Relay, Remote, Serve, accepting};
use pipes::{Connector, Listener};
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The address of another program, and the settings of sessions with it. `bank::connect` and `bank::listen`
/// take it.
///
/// A clone is the same address. Several protocols can be served at one: `bank::listen(&here)` and
/// `log::listen(&here)` share it, and the protocol's name says which one a client wants.
///
/// ```
/// use std::time::Duration;
///
/// let bank = pipes_remote::tcp("127.0.0.1:7000").limit(4096).beat(Duration::from_secs(1));
/// # let _ = bank;
/// ```
pub struct Via<E: Engine, C = Postcard> {
    engine: Arc<E>,
    site: Arc<Site<E>>,
    codec: C,
    settings: Settings,
    filter: Filter,
}

impl<E: Engine> Via<E> {
    /// Creates an address of this engine, with the default codec and settings.
    pub fn new(engine: E) -> Self {
        let engine = Arc::new(engine);
        let site = Arc::new(Site::new(engine.clone()));
        Via { engine, site, codec: Postcard, settings: Settings::DEFAULT, filter: Filter::default() }
    }
}

impl<E: Engine, C> Via<E, C> {
    /// Sets the codec. Both programs must use the same; [`Postcard`] if it is not set.
    pub fn codec<D: Codec>(self, codec: D) -> Via<E, D> {
        let Via { engine, site, settings, filter, .. } = self;
        Via { engine, site, codec, settings, filter }
    }

    /// Sets the most bytes of a message that this side accepts; 1 MiB if it is not set. A longer message is a
    /// [`Fault`](pipes::remote::Fault), at the side that sends it already.
    ///
    /// # Panics
    ///
    /// Panics if the limit is below 1024, or above 2³⁰.
    #[track_caller]
    pub fn limit(mut self, bytes: usize) -> Self {
        assert!((1 << 10..=1 << 30).contains(&bytes), "`Via::limit`: {bytes} bytes are not from 2¹⁰ to 2³⁰");
        self.settings.limit = bytes;
        self
    }

    /// Sets how many messages, and bytes, may wait here for their receiver in an unbounded protocol; 1,024
    /// messages or 1 MiB, whichever is first, if it is not set. What comes above that stays at the sender. A
    /// bounded protocol has at most its bound of messages under way.
    ///
    /// # Panics
    ///
    /// Panics if one of them is 0.
    #[track_caller]
    pub fn window(mut self, messages: usize, bytes: usize) -> Self {
        assert!(messages > 0, "`Via::window`: the number of messages is 0");
        assert!(bytes > 0, "`Via::window`: the number of bytes is 0");
        self.settings.window = (messages, bytes);
        self
    }

    /// Sets the heartbeat interval; 5 s if it is not set. A side that has sent nothing for this time sends a
    /// heartbeat. The smaller interval of both sides counts.
    ///
    /// # Panics
    ///
    /// Panics if the time is below 1 ms.
    #[track_caller]
    pub fn beat(mut self, time: Duration) -> Self {
        assert!(time >= Duration::from_millis(1), "`Via::beat`: {time:?} are less than 1 ms");
        self.settings.heartbeat = time;
        self
    }

    /// Sets the time after which a silent side is lost; 15 s if it is not set. It should be several times the
    /// [heartbeat interval](Via::beat); less than two intervals counts as two.
    ///
    /// A busy receiver is not silent, because its pump goes on sending heartbeats. The time in which this
    /// program was stopped does not count. QUIC has a limit of its own, 15 s.
    pub fn lost(mut self, time: Duration) -> Self {
        self.settings.lost = time;
        self
    }

    /// Sets the most time for a connection and its handshake; 5 s if it is not set.
    pub fn handshake(mut self, time: Duration) -> Self {
        self.settings.handshake = time;
        self
    }

    /// Begins sessions without waiting for the answer of the other side: `connect` returns as soon as there
    /// is a stream, and what the client sends at first travels with the handshake. A session takes one round
    /// trip less.
    ///
    /// In return, `connect` does not return an error if the other side refuses the session. The endpoint
    /// closes instead, and the cause in its [`Link`] is [`Broken`](pipes::remote::Cause::Broken), with the
    /// [`ConnectError`] inside of the `io::Error`. If it is [`Refused`](ConnectError::Refused), what the
    /// client has sent is lost; otherwise it may have arrived, or not. The other side's [`limit`](Via::limit)
    /// is not known yet, so if the first message is longer, that side reports the fault.
    ///
    /// Only the setting of the side that connects counts.
    pub fn eager(mut self) -> Self {
        self.settings.is_eager = true;
        self
    }

    /// Undoes [`eager`](Via::eager).
    #[cfg(feature = "farm")]
    pub(crate) fn patient(mut self) -> Self {
        self.settings.is_eager = false;
        self
    }

    /// Sets how many clients may wait to be accepted; 128 if it is not set. Further ones are refused.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0.
    #[track_caller]
    pub fn backlog(mut self, clients: usize) -> Self {
        assert!(clients > 0, "`Via::backlog`: the number of clients is 0");
        self.settings.backlog = clients;
        self
    }

    /// Sets how many sessions a peer may have here at a time, in all protocols together; 16,384 if it is not
    /// set. Further ones are refused. See [`Peer`] for when two programs are the same peer.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0.
    #[track_caller]
    pub fn sessions(mut self, most: usize) -> Self {
        assert!(most > 0, "`Via::sessions`: the number of sessions is 0");
        self.settings.sessions = most;
        self
    }

    /// Sets a filter for clients; all are admitted if it is not set. A client for which it returns `false` is
    /// refused before anything of it reaches the listener. The filter is called in the task of the handshake
    /// and must not block.
    ///
    /// ```
    /// let here = pipes_remote::tcp_exposed("0.0.0.0:7000")
    ///     .admit(|peer| peer.address().is_some_and(|address| address.ip().is_loopback()));
    /// # let _ = here;
    /// ```
    pub fn admit(mut self, admits: impl Fn(&Peer) -> bool + Send + Sync + 'static) -> Self {
        self.filter = Filter::new(admits);
        self
    }

    /// Sets a function that is called after a client was refused: because its certificate is not trusted, it
    /// has another protocol, its handshake has failed, or a limit was reached. Without this, a listener does
    /// not learn of such clients.
    ///
    /// It is called once for each such client, after the client was told. A client that was refused in the
    /// handshake of TLS or QUIC has proved nothing, so its [`Peer`] is only the address from which it has
    /// connected, and over UDP a stranger can forge that. What the system or QUIC refuses before the
    /// handshake begins is not reported.
    ///
    /// The function is called in a thread of the runtime for code that blocks, so it may block, and several
    /// calls may run at the same time. Accepting goes on meanwhile. If 128 calls are under way, further
    /// clients are refused without a call. If the function panics, only that call ends: the panic is printed,
    /// and the next client is reported again.
    ///
    /// The function belongs to the address: of this `Via` and its clones, the function that was set last
    /// counts for all, at once.
    ///
    /// ```
    /// use pipes_remote::AcceptError;
    ///
    /// let here = pipes_remote::tcp("127.0.0.1:7000").on_refused(|peer, why| match why {
    ///     AcceptError::Untrusted { theirs, .. } => eprintln!("a stranger at {peer}: {theirs}"),
    ///     why => eprintln!("{peer} was refused: {why}"),
    /// });
    /// # let _ = here;
    /// ```
    pub fn on_refused(self, on_refused: impl Fn(Peer, AcceptError) + Send + Sync + 'static) -> Self {
        self.site.refusals().set(on_refused);
        self
    }

    /// Returns the address, as the engine writes it.
    pub fn address(&self) -> String {
        self.engine.address()
    }

    fn unreachable(&self, error: io::Error) -> ConnectError {
        ConnectError::Unreachable { address: self.address(), error }
    }

    fn unavailable(&self, error: io::Error) -> ListenError {
        ListenError::Unavailable { address: self.address(), error }
    }
}

impl<P, E, C> Dial<P> for Via<E, C>
where
    P: Remote<Calls: Relay<C> + Send + Unpin + 'static, Client: Send + 'static> + 'static,
    E: Engine,
    C: Codec + Unpin,
{
    type Error = ConnectError;

    fn dial(&self) -> Result<(P::Client, Link), ConnectError> {
        let via = self.clone();
        let dialed = block_on(async move { dial::<P, E, C>(&via.engine, via.codec, &via.settings).await });
        dialed.map_err(|error| self.unreachable(error))?
    }

    async fn dial_async(&self) -> Result<(P::Client, Link), ConnectError> {
        if is_inside() {
            return dial::<P, E, C>(&self.engine, self.codec.clone(), &self.settings).await;
        }
        let via = self.clone();
        let dialed = spawn(async move { dial::<P, E, C>(&via.engine, via.codec, &via.settings).await }).await;
        dialed.map_err(|error| self.unreachable(error))?
    }
}

impl<P, E, C, A> Serve<P, A> for Via<E, C>
where
    P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send, Server: Send> + 'static,
    E: Engine,
    C: Codec + Unpin,
    A: Send + 'static,
{
    type Error = ListenError;

    fn serve(&self, accepted: fn(P::Server, Link) -> A) -> Result<Listener<P, A>, ListenError> {
        self.serving_blocked(self.clone().serving(accepted))
    }

    async fn serve_async(&self, accepted: fn(P::Server, Link) -> A) -> Result<Listener<P, A>, ListenError> {
        let listening = spawn(self.clone().serving(accepted)).await;
        listening.map_err(|error| self.unavailable(error))?
    }
}

impl<E: Engine, C: Codec + Unpin> Via<E, C> {
    /// Listens at this address for clients of a service that has clients in this program, too. Waits until
    /// the address is bound.
    ///
    /// Blocks the thread; in a task, use [`serve_for_async`](Via::serve_for_async) instead.
    ///
    /// All clients come out of the service's [`Listener`]. When it is dropped, this ends, too.
    ///
    /// ```
    /// pipes::proto! {
    ///     #[remote]
    ///     pub greeting { hello: send { hello(String) -> ! } }
    /// }
    ///
    /// let (connector, mut listener) = pipes::listen::<greeting::Protocol>();
    /// let here = pipes_remote::tcp_free_port()?;
    /// here.serve_for(&connector)?;
    ///
    /// connector.connect()?.hello("from this program".into())?;
    /// assert!(listener.accept()?.recv().is_ok());
    /// greeting::connect(&here)?.hello("from another one".into())?;
    /// assert!(listener.accept()?.recv().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
    pub fn serve_for<P>(&self, connector: &Connector<P>) -> Result<(), ListenError>
    where
        P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send, Server: Send> + 'static,
    {
        self.serving_blocked(self.clone().serving_for(Accepting::of(connector)))
    }

    /// Listens at this address for clients of a service, in a task; see [`serve_for`](Via::serve_for).
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
    pub async fn serve_for_async<P>(&self, connector: &Connector<P>) -> Result<(), ListenError>
    where
        P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send, Server: Send> + 'static,
    {
        let serving = spawn(self.clone().serving_for(Accepting::of(connector))).await;
        serving.map_err(|error| self.unavailable(error))?
    }

    async fn serving<P, A>(self, accepted: fn(P::Server, Link) -> A) -> Result<Listener<P, A>, ListenError>
    where
        P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send, Server: Send> + 'static,
        A: Send + 'static,
    {
        let begin = move || accepting(self.settings.backlog, accepted);
        self.site.serve(self.codec, self.settings, self.filter, begin).await
    }

    async fn serving_for<P>(self, accepting: Accepting<P, P::Server>) -> Result<(), ListenError>
    where
        P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send, Server: Send> + 'static,
    {
        self.site.serve(self.codec, self.settings, self.filter, || (accepting, ())).await
    }

    /// Begins to serve in the background runtime.
    fn serving_blocked<L: Send + 'static>(
        &self,
        serving: impl Future<Output = Result<L, ListenError>> + Send + 'static,
    ) -> Result<L, ListenError> {
        block_on(serving).map_err(|error| self.unavailable(error))?
    }
}

impl<E: Engine, C: Clone> Clone for Via<E, C> {
    fn clone(&self) -> Self {
        let Via { engine, site, codec, settings, filter } = self;
        Via {
            engine: engine.clone(),
            site: site.clone(),
            codec: codec.clone(),
            settings: *settings,
            filter: filter.clone(),
        }
    }
}

impl<E: Engine, C> fmt::Debug for Via<E, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Via").field("address", &self.address()).field("settings", &self.settings).finish()
    }
}
