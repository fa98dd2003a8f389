//! QUIC: encrypted, over UDP, with a stream for each session and all of them on one connection.

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

/// The most clients whose handshakes wait to begin; further ones are refused.
const INCOMING: usize = 256;

/// The most time for one.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The most sessions of one connection at a time, and how many a new connection has room for. The library
/// reserves memory for each, so there is more room only when it is needed. A client that begins more waits.
const SESSIONS: usize = 1 << 16;
const FIRST: usize = 1 << 7;

/// A connection without a session costs memory, too. If a machine has more connections than this, those of
/// them that have had none for the time of a handshake, or up to twice that, are closed; their clients
/// connect again when they need to.
const CONNECTIONS: usize = 256;

/// The most bytes under way in a stream that its receiver has not read. All streams together have no limit:
/// some receivers that do not read would use it up, and hold up all others.
const STREAM: u32 = 1 << 20;

/// The packets that a side may have received without confirming them at once. The usual one is too few for
/// short sessions: its confirmation would leave just before the answer that it could travel with.
const ACKS: VarInt = VarInt::from_u32(8);

/// How often a connection gives a sign of life, and the silence after which it is lost.
const BEAT: Duration = Duration::from_secs(5);
const LOST: Duration = Duration::from_secs(15);

/// A UDP address, with QUIC. A clone is the same address: its sessions share a connection.
#[derive(Clone, Debug)]
pub struct Quic(Arc<Place>);

#[derive(Debug)]
struct Place {
    address: Address,
    security: Security,
    /// A socket that is bound already, until a program listens there.
    bound: Mutex<Option<UdpSocket>>,
    /// The connections over which sessions are opened: one for each runtime, which drives it. A session must
    /// not depend on a runtime that is not its own.
    connections: tokio::sync::Mutex<HashMap<runtime::Id, Connection>>,
    /// The sockets at which sessions are accepted. They are kept when the listener ends, for the sessions
    /// that go on.
    listening: Mutex<Option<Listening>>,
}

#[derive(Clone, Debug)]
struct Listening {
    /// One for each address of the name.
    endpoints: Vec<Endpoint>,
    /// Gone with the runtime that drives the sockets.
    runtime: Weak<()>,
    /// Where the streams go that clients open, while there is a listener.
    streams: Arc<Mutex<mpsc::Sender<Accepted>>>,
    /// Closed as soon as no program can listen here any more.
    place: Arc<watch::Sender<()>>,
}

type Accepted = (QuicStream, Peer);

impl Quic {
    /// Creates this address, which other machines may reach.
    pub fn new(address: impl Into<String>, security: Security) -> Self {
        Quic::at(Address::new(address), security, None)
    }

    /// Takes a port of this machine that is free. It is kept until a listener takes it, or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port(security: Security) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = Address::new(socket.local_addr()?.to_string());
        Ok(Quic::at(address, security, Some(socket)))
    }

    /// Finds the addresses of a name in another way, for tests. It is another address than its clones then.
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

    /// Returns the connection of this runtime, if there is one, and nothing else is done with it now.
    fn kept(&self) -> Option<Connection> {
        let kept = self.0.connections.try_lock().ok()?;
        kept.get(&Handle::current().id()).filter(|it| it.close_reason().is_none()).cloned()
    }

    /// Returns the connection of this runtime, or a new one.
    async fn connection(self) -> io::Result<Connection> {
        let mut kept = self.0.connections.lock().await;
        // Those of runtimes that have ended are closed, too.
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

    /// Locks the listener. Nothing panics while it has the lock.
    fn listening(&self) -> MutexGuard<'_, Option<Listening>> {
        self.0.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what a side sets that takes this many streams of the other one. The defaults of the library are
/// 100, and no signs of life.
fn transport(streams: usize) -> io::Result<TransportConfig> {
    let (mut transport, mut acks) = (TransportConfig::default(), AckFrequencyConfig::default());
    acks.ack_eliciting_threshold(ACKS);
    transport
        .max_concurrent_bidi_streams(limit(streams))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(STREAM.into())
        .datagram_receive_buffer_size(None)
        .ack_frequency_config(Some(acks))
        .keep_alive_interval(Some(BEAT))
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
            // In a task, so that a caller who is not polled does not hold up others.
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
                // Dropped with the runtime.
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

/// What waits for sessions at a UDP address.
#[derive(Debug)]
pub struct QuicAccept {
    listening: Listening,
    streams: mpsc::Receiver<Accepted>,
    handshakes: Arc<Handshakes>,
    /// Which socket is asked first for the next client.
    turn: usize,
}

impl Listening {
    /// Waits for the next client of any socket; `turn` says which one is asked first. Returns `None` if a
    /// socket is lost, with its runtime. It is cancel-safe.
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
        // New connections are refused. Sessions go on, and further streams on their connections are closed.
        for endpoint in &self.listening.endpoints {
            endpoint.set_server_config(None);
        }
    }
}

/// Accepts the streams of one client, as long as it has sessions, or a program can listen here.
async fn accept_streams(
    incoming: Incoming,
    (handshakes, room): (Arc<Handshakes>, OwnedSemaphorePermit),
    streams: Arc<Mutex<mpsc::Sender<Accepted>>>,
    mut place: watch::Receiver<()>,
) -> Option<()> {
    let machine = incoming.remote_address().ip().to_canonical().to_string();
    let shaking = async {
        let turn = handshakes.turn(room, &machine).await?;
        turn.shake(incoming.accept().ok()?).await?.ok()
    };
    let connection = within(HANDSHAKE, shaking).await??;
    let (peer, mut room, member) = (peer(&connection), FIRST, handshakes.member(&machine));
    let mut open = Some(Arc::new(Open { connection: connection.clone(), is_accepted: true }));
    let mut was_idle = false;
    loop {
        let (send, recv) = tokio::select! {
            accepted = connection.accept_bi() => accepted.ok()?,
            () = sleep(HANDSHAKE) => {
                // This one has an `open`, too.
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
        // Without a listener the stream is dropped, which its client notices.
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

/// Returns a number of streams, as the library wants it.
fn limit(streams: usize) -> VarInt {
    VarInt::from_u32(streams as u32)
}

/// Returns who is at the other end of a connection.
fn peer(connection: &Connection) -> Peer {
    let identity = connection.peer_identity();
    let certificates = identity.as_ref().and_then(|it| it.downcast_ref::<Vec<CertificateDer<'static>>>());
    Peer::certified(connection.remote_address(), shown(certificates.map(Vec::as_slice)))
}
