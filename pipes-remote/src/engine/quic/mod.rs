//! QUIC over UDP, with a stream for each session. All streams share one connection.

mod connecting;
mod running;
mod stream;

pub use self::stream::QuicStream;

use self::connecting::connect;
use self::running::Running;
use self::stream::Open;
use super::address::Address;
use super::{Accept, Beats, Engine, Peer, eyeballs, listeners};
use crate::deadline::within;
use crate::handshakes::Handshakes;
use crate::runtime::spawn;
use crate::security::{Security, shown};
use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn::{
    AckFrequencyConfig, ClientConfig, Connection, Endpoint, EndpointConfig, IdleTimeout, Incoming,
    ServerConfig, TransportConfig, VarInt,
};
use rustls::pki_types::CertificateDer;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::{self, Handle};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::sleep;

/// The most clients whose handshakes have not begun. Further ones are refused.
const INCOMING: usize = 256;

/// The time limit for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The most sessions of one connection at a time, and the limit of a new connection. The library reserves
/// memory for each, so the limit is raised only when it is needed. A client that begins more sessions waits.
const SESSIONS: usize = 1 << 16;
const FIRST: usize = 1 << 7;

/// A connection costs memory even without a session. If a machine has more connections than this, those that
/// have had no session for five to ten seconds are closed. Their clients connect again when they need to.
const CONNECTIONS: usize = 256;

/// The flow-control window of a stream. The connection has no window, because a few receivers that do not
/// read would use it up and hold up all others.
const STREAM: u32 = 1 << 20;

/// How many packets a side may receive without acknowledging them at once. The default is too few for short
/// sessions, because the acknowledgement would be sent just before the answer that it could travel with.
const ACKS: VarInt = VarInt::from_u32(8);

/// The heartbeat interval of a connection, and the silence after which it is lost.
const HEARTBEAT: Duration = Duration::from_secs(5);
const LOST: Duration = Duration::from_secs(15);

/// A UDP address, with QUIC. A clone is the same address: its sessions share a connection.
#[derive(Clone, Debug)]
pub struct Quic(Arc<Place>);

#[derive(Debug)]
struct Place {
    address: Address,
    security: Security,
    /// A socket that is bound already. The first listener takes it.
    bound: Mutex<Option<UdpSocket>>,
    /// The connections over which sessions are opened. Each runtime has one, which it drives, because a
    /// session must not depend on a runtime other than its own.
    connections: tokio::sync::Mutex<HashMap<runtime::Id, Connection>>,
    /// The sockets at which sessions are accepted. They are kept after the listener has ended, for the
    /// sessions that go on.
    listening: Mutex<Option<Listening>>,
}

#[derive(Clone, Debug)]
struct Listening {
    /// One endpoint for each address of the name.
    endpoints: Vec<Endpoint>,
    /// Dropped with the runtime that drives the sockets.
    runtime: Weak<()>,
    /// Receives the streams that clients open, while there is a listener.
    streams: Arc<Mutex<mpsc::Sender<Accepted>>>,
    /// Closed as soon as no program can listen here any more.
    place: Arc<watch::Sender<()>>,
}

type Accepted = (QuicStream, Peer);

impl Quic {
    /// Creates an address that other machines can reach.
    pub fn new(address: impl Into<String>, security: Security) -> Self {
        Quic::at(Address::new(address), security, None)
    }

    /// Reserves a free port of this machine, until a listener takes it or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port(security: Security) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = Address::new(socket.local_addr()?.to_string());
        Ok(Quic::at(address, security, Some(socket)))
    }

    /// Resolves names by this function, for tests. The result no longer shares connections with its clones.
    #[doc(hidden)]
    pub fn resolved_by(
        self,
        resolve: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        let Place { address, security, bound, .. } = &*self.0;
        let (mut address, bound) =
            (address.clone(), bound.lock().unwrap_or_else(PoisonError::into_inner).take());
        address.resolved_by(resolve);
        Quic::at(address, security.clone(), bound)
    }

    fn at(address: Address, security: Security, bound: Option<UdpSocket>) -> Self {
        let connections = tokio::sync::Mutex::new(HashMap::new());
        let (bound, listening) = (Mutex::new(bound), Mutex::new(None));
        Quic(Arc::new(Place { address, security, bound, connections, listening }))
    }

    /// Returns the connection of this runtime, if there is one and the lock is free.
    fn kept(&self) -> Option<Connection> {
        let kept = self.0.connections.try_lock().ok()?;
        kept.get(&Handle::current().id()).filter(|it| it.close_reason().is_none()).cloned()
    }

    /// Returns the connection of this runtime. Creates it if there is none.
    async fn connection(self) -> io::Result<Connection> {
        let mut kept = self.0.connections.lock().await;
        // The connections of runtimes that have ended are closed, too.
        kept.retain(|_, connection| connection.close_reason().is_none());
        let runtime = Handle::current().id();
        if let Some(connection) = kept.get(&runtime) {
            return Ok(connection.clone());
        }
        let connection = self.connect().await?;
        kept.insert(runtime, connection.clone());
        Ok(connection)
    }

    /// Creates a new connection.
    async fn connect(&self) -> io::Result<Connection> {
        let (config, name) = self.0.security.client(self.0.address.checked()?)?;
        let crypto = QuicClientConfig::try_from(config).map_err(io::Error::other)?;
        let mut config = ClientConfig::new(Arc::new(crypto));
        config.transport_config(Arc::new(transport(0)?));
        let attempt = |to| connect(config.clone(), name.to_str().into_owned(), to);
        eyeballs::connect(&self.0.address, attempt).await
    }

    /// Creates the sockets of a new listener.
    async fn sockets(&self) -> io::Result<Vec<UdpSocket>> {
        let bound = self.0.bound.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(socket) = bound {
            return Ok(vec![socket]);
        }
        let addresses = self.0.address.resolve().await?;
        let bind = |address: SocketAddr| async move { UdpSocket::bind(address) };
        listeners::bind(&self.0.address, &addresses, bind, UdpSocket::local_addr).await
    }

    /// Locks the listener. Nothing panics while it holds the lock.
    fn listening(&self) -> MutexGuard<'_, Option<Listening>> {
        self.0.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the settings of a side that accepts this many streams of the other side. The defaults of the
/// library are 100 streams and no heartbeats.
fn transport(streams: usize) -> io::Result<TransportConfig> {
    let (mut transport, mut acks) = (TransportConfig::default(), AckFrequencyConfig::default());
    acks.ack_eliciting_threshold(ACKS);
    transport
        .max_concurrent_bidi_streams(limit(streams))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(STREAM.into())
        .datagram_receive_buffer_size(None)
        .ack_frequency_config(Some(acks))
        .keep_alive_interval(Some(HEARTBEAT))
        .max_idle_timeout(Some(IdleTimeout::try_from(LOST).map_err(io::Error::other)?));
    Ok(transport)
}

impl Engine for Quic {
    type Stream = QuicStream;
    type Accept = QuicAccept;

    fn address(&self) -> String {
        self.0.address.text().to_owned()
    }

    async fn open(&self) -> io::Result<(QuicStream, Peer)> {
        let connection = match self.kept() {
            Some(connection) => connection,
            // This runs in a task, because a caller that is not polled must not hold up others.
            None => spawn(self.clone().connection()).await??,
        };
        let (send, recv) = connection.open_bi().await?;
        let peer = peer(&connection);
        let open = Arc::new(Open { connection, is_accepted: false });
        Ok((QuicStream { send, recv, open }, peer))
    }

    async fn bind(&self) -> io::Result<QuicAccept> {
        let crypto = QuicServerConfig::try_from(self.0.security.server()?).map_err(io::Error::other)?;
        let mut config = ServerConfig::with_crypto(Arc::new(crypto));
        config.transport_config(Arc::new(transport(FIRST)?)).max_incoming(INCOMING);
        let (sender, streams) = mpsc::channel(1);
        let kept = self.listening().clone().filter(|kept| kept.runtime.strong_count() > 0);
        let listening = match kept {
            Some(kept) => {
                for endpoint in &kept.endpoints {
                    endpoint.set_server_config(Some(config.clone()));
                }
                *kept.streams.lock().unwrap_or_else(PoisonError::into_inner) = sender;
                kept
            }
            None => {
                let endpoint = |socket| {
                    Endpoint::new(EndpointConfig::default(), Some(config.clone()), socket, Running::new())
                };
                let endpoints = self.sockets().await?.into_iter().map(endpoint).collect::<io::Result<_>>()?;
                let alive = Arc::new(());
                let listening = Listening {
                    endpoints,
                    runtime: Arc::downgrade(&alive),
                    streams: Arc::new(Mutex::new(sender)),
                    place: Arc::new(watch::Sender::new(())),
                };
                // `alive` is dropped with the runtime.
                tokio::spawn(async move {
                    let _alive = alive;
                    std::future::pending::<()>().await;
                });
                self.listening().insert(listening).clone()
            }
        };
        Ok(QuicAccept { listening, streams, handshakes: Arc::new(Handshakes::new()), turn: 0 })
    }

    fn beats(&self) -> Beats {
        Beats::Engine { lost: LOST }
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// Accepts sessions at a UDP address.
#[derive(Debug)]
pub struct QuicAccept {
    listening: Listening,
    streams: mpsc::Receiver<Accepted>,
    handshakes: Arc<Handshakes>,
    /// Which socket is polled first for the next client.
    turn: usize,
}

impl Listening {
    /// Waits for the next client of any socket. `turn` says which one is polled first. Returns `None` if the
    /// sockets are lost with their runtime. Cancel-safe.
    async fn incoming(&self, turn: usize) -> Option<Incoming> {
        let (last, first) = self.endpoints.split_at(turn % self.endpoints.len());
        let mut accepts: Vec<_> = first.iter().chain(last).map(|it| Box::pin(it.accept())).collect();
        poll_fn(|cx| {
            let ready = accepts.iter_mut().map(|it| it.as_mut().poll(cx)).find(Poll::is_ready);
            ready.unwrap_or(Poll::Pending)
        })
        .await
    }
}

impl Accept for QuicAccept {
    type Stream = QuicStream;

    async fn accept(&mut self) -> Option<io::Result<Accepted>> {
        loop {
            tokio::select! {
                accepted = self.streams.recv() => return accepted.map(Ok),
                (room, incoming) = async {
                    (self.handshakes.room().await, self.listening.incoming(self.turn).await)
                } => {
                    self.turn = self.turn.wrapping_add(1);
                    let (streams, place) = (self.listening.streams.clone(), self.listening.place.subscribe());
                    let handshake = (self.handshakes.clone(), room?);
                    tokio::spawn(accept_streams(incoming?, handshake, streams, place));
                }
            }
        }
    }
}

impl Drop for QuicAccept {
    fn drop(&mut self) {
        // New connections are refused. Sessions go on. Further streams on their connections are closed.
        for endpoint in &self.listening.endpoints {
            endpoint.set_server_config(None);
        }
    }
}

/// Accepts the streams of one client, while it has sessions or a program can listen here.
async fn accept_streams(
    incoming: Incoming,
    (handshakes, room): (Arc<Handshakes>, OwnedSemaphorePermit),
    streams: Arc<Mutex<mpsc::Sender<Accepted>>>,
    mut place: watch::Receiver<()>,
) -> Option<()> {
    let machine = incoming.remote_address().ip().to_canonical().to_string();
    let handshake = async {
        let turn = handshakes.turn(room, &machine).await?;
        turn.run(incoming.accept().ok()?).await?.ok()
    };
    let connection = within(HANDSHAKE, handshake).await??;
    let (peer, mut room, member) = (peer(&connection), FIRST, handshakes.member(&machine));
    let mut open = Some(Arc::new(Open { connection: connection.clone(), is_accepted: true }));
    let mut was_idle = false;
    loop {
        let (send, recv) = tokio::select! {
            accepted = connection.accept_bi() => accepted.ok()?,
            () = sleep(HANDSHAKE) => {
                // This task has a clone of `open`, too.
                let is_idle = open.as_ref().is_some_and(|open| Arc::strong_count(open) == 1);
                if was_idle && is_idle && member.count() > CONNECTIONS {
                    return None;
                }
                was_idle = is_idle;
                continue;
            }
            _ = place.changed(), if open.is_some() => {
                open = None;
                continue;
            }
        };
        was_idle = false;
        // Without a listener, the stream is dropped, and its client notices.
        let Some(open) = &open else { continue };
        if Arc::strong_count(open) > room / 2 && room < SESSIONS {
            room *= 2;
            connection.set_max_concurrent_bi_streams(limit(room));
        }
        let stream = QuicStream { send, recv, open: open.clone() };
        let sender = streams.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let _ = sender.send((stream, peer.clone())).await;
    }
}

/// Converts a number of streams for the library.
fn limit(streams: usize) -> VarInt {
    VarInt::from_u32(streams as u32)
}

/// Returns the peer at the other end of a connection.
fn peer(connection: &Connection) -> Peer {
    let identity = connection.peer_identity();
    let certificates = identity.as_ref().and_then(|it| it.downcast_ref::<Vec<CertificateDer<'static>>>());
    Peer::certified(connection.remote_address(), shown(certificates.map(Vec::as_slice)))
}
