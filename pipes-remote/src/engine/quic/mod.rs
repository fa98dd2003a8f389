//! QUIC over UDP, with a stream for each session. All streams share one connection.

mod accepting;
mod connecting;
mod errors;
mod running;
mod stream;

pub use self::stream::QuicStream;

use self::accepting::{Accepted, FIRST, Senders, accept_streams, crypto, current, handshake, limit, peer};
use self::connecting::connect;
use self::errors::explained;
use self::running::Running;
use self::stream::Open;
use super::address::Address;
use super::{Accept, Beats, Engine, Peer, eyeballs, listeners};
use crate::error::RefusedClient;
use crate::handshakes::Handshakes;
use crate::runtime::spawn;
use crate::security::{Security, Server};
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{
    AckFrequencyConfig, ClientConfig, Connection, Endpoint, EndpointConfig, IdleTimeout, Incoming,
    ServerConfig, TransportConfig, VarInt,
};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::{self, Handle};
use tokio::sync::{mpsc, watch};

/// The most clients whose handshakes have not begun. Further ones are refused.
const INCOMING: usize = 256;

/// The most refused clients that wait to be reported. Further ones are not reported.
const REFUSED: usize = 128;

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
    /// Give the listener what comes, while there is one.
    senders: Arc<Mutex<Senders>>,
    /// Closed as soon as no program can listen here any more.
    place: Arc<watch::Sender<()>>,
}

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
        let (config, name, noted) = self.0.security.client(self.0.address.checked()?)?;
        let crypto = QuicClientConfig::try_from(config).map_err(io::Error::other)?;
        let mut config = ClientConfig::new(Arc::new(crypto));
        config.transport_config(Arc::new(transport(0)?));
        let attempt = |to| connect((config.clone(), noted.clone()), name.to_str().into_owned(), to);
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
        let (send, recv) = connection.open_bi().await.map_err(explained)?;
        let peer = peer(&connection);
        let open = Arc::new(Open { connection, is_accepted: false });
        Ok((QuicStream { send, recv, open }, peer))
    }

    fn link_name(stream: &QuicStream) -> Option<String> {
        // The addresses may differ at the two ends.
        let mut key = [0; 16];
        stream.open.connection.export_keying_material(&mut key, b"pipes session name", b"").ok()?;
        Some(format!("quic {:032x} {}", u128::from_be_bytes(key), stream.send.id().index()))
    }

    async fn bind(&self) -> io::Result<QuicAccept> {
        let server = self.0.security.server()?;
        let mut config = ServerConfig::with_crypto(crypto(server.config()?.0)?);
        config.transport_config(Arc::new(transport(FIRST)?)).max_incoming(INCOMING);
        let ((for_streams, streams), (for_refused, refused)) = (mpsc::channel(1), mpsc::channel(REFUSED));
        let senders = Senders { streams: for_streams, refused: for_refused };
        let kept = self.listening().clone().filter(|kept| kept.runtime.strong_count() > 0);
        let listening = match kept {
            Some(kept) => {
                for endpoint in &kept.endpoints {
                    endpoint.set_server_config(Some(config.clone()));
                }
                *kept.senders.lock().unwrap_or_else(PoisonError::into_inner) = senders;
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
                    senders: Arc::new(Mutex::new(senders)),
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
        let handshakes = Arc::new(Handshakes::new());
        Ok(QuicAccept { listening, server, config, streams, refused, handshakes, turn: 0 })
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
    server: Server,
    config: ServerConfig,
    streams: mpsc::Receiver<Accepted>,
    refused: mpsc::Receiver<RefusedClient>,
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
                Some(refused) = self.refused.recv() => return Some(Err(io::Error::other(refused))),
                (room, incoming) = async {
                    (self.handshakes.room().await, self.listening.incoming(self.turn).await)
                } => {
                    self.turn = self.turn.wrapping_add(1);
                    let (incoming, handshakes) = (incoming?, self.handshakes.clone());
                    let peer = Peer::at(incoming.remote_address());
                    let (server, config) = (self.server.clone(), self.config.clone());
                    let handshake = handshake(incoming, (server, config), (handshakes.clone(), room?));
                    let (senders, place) = (self.listening.senders.clone(), self.listening.place.subscribe());
                    tokio::spawn(async move {
                        match handshake.await {
                            Ok(connection) => {
                                accept_streams(connection, handshakes.member(&peer), senders, place).await
                            }
                            Err(why) => current(&senders).refused.try_send(RefusedClient { peer, why }).ok(),
                        }
                    });
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
