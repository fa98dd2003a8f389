//! The clients of a listener: their handshakes, and the streams of their connections.

use super::errors::explained;
use super::stream::{Open, QuicStream};
use crate::deadline::within;
use crate::error::{AcceptError, RefusedClient};
use crate::handshakes::{Handshakes, Member};
use crate::security::{Server, certified};
use pipes::remote::Peer;
use quinn::crypto::rustls::QuicServerConfig;
use quinn::{Connection, Incoming, ServerConfig, VarInt};
use rustls::pki_types::CertificateDer;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::sleep;

/// The time limit for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The most sessions of one connection at a time, and the limit of a new connection. The library reserves
/// memory for each, so the limit is raised only when it is needed. A client that begins more sessions waits.
const SESSIONS: usize = 1 << 16;
pub(super) const FIRST: usize = 1 << 7;

/// A connection costs memory even without a session. If a machine has more connections than this, those that
/// have had no session for five to ten seconds are closed. Their clients connect again when they need to.
const CONNECTIONS: usize = 256;

pub(super) type Accepted = (QuicStream, Peer);

/// What a listener receives: the streams that clients open, and the clients that are refused.
#[derive(Clone, Debug)]
pub(super) struct Senders {
    pub(super) streams: mpsc::Sender<Accepted>,
    pub(super) refused: mpsc::Sender<RefusedClient>,
}

/// Does the handshake of a client.
pub(super) async fn handshake(
    incoming: Incoming,
    (server, mut config): (Server, ServerConfig),
    (handshakes, room): (Arc<Handshakes>, OwnedSemaphorePermit),
) -> Result<Connection, AcceptError> {
    let handshake = async {
        let machine = Peer::at(incoming.remote_address());
        let turn = handshakes.turn(room, &machine).await.ok_or(AcceptError::TooMany)?;
        let (rustls, noted) = server.config()?;
        config.crypto = crypto(rustls)?;
        let accepting = async { incoming.accept_with(Arc::new(config))?.await };
        let accepted = turn.run(accepting).await.ok_or(AcceptError::TimedOut)?;
        accepted.map_err(|error| noted.or(|| explained(error)).into())
    };
    within(HANDSHAKE, handshake).await.unwrap_or(Err(AcceptError::TimedOut))
}

/// Returns the way to the current listener.
pub(super) fn current(senders: &Mutex<Senders>) -> Senders {
    senders.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Accepts the streams of one client, while it has sessions or a program can listen here.
pub(super) async fn accept_streams(
    connection: Connection,
    member: Member,
    senders: Arc<Mutex<Senders>>,
    mut place: watch::Receiver<()>,
) -> Option<()> {
    let (peer, mut room) = (peer(&connection), FIRST);
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
        let _ = current(&senders).streams.send((stream, peer.clone())).await;
    }
}

/// Converts the configuration of TLS for the library.
pub(super) fn crypto(rustls: Arc<rustls::ServerConfig>) -> io::Result<Arc<QuicServerConfig>> {
    QuicServerConfig::try_from(rustls).map(Arc::new).map_err(io::Error::other)
}

/// Converts a number of streams for the library.
pub(super) fn limit(streams: usize) -> VarInt {
    VarInt::from_u32(streams as u32)
}

/// Returns the peer at the other end of a connection.
pub(super) fn peer(connection: &Connection) -> Peer {
    let identity = connection.peer_identity();
    let certificates = identity.as_ref().and_then(|it| it.downcast_ref::<Vec<CertificateDer<'static>>>());
    certified(connection.remote_address(), certificates.map(Vec::as_slice))
}
