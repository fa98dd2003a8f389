//! Listeners whose clients do a handshake of the engine first, such as that of TLS.

use super::tcp::TcpAccept;
use super::{Accept, Peer};
use crate::deadline::within;
use crate::error::{AcceptError, RefusedClient};
use crate::handshakes::Handshakes;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

/// The most connections that were accepted here and not returned by `accept` yet. Further ones wait in the
/// system's queue.
const CLIENTS: usize = 2048;

/// The time limit for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// The server's side of an engine's handshake.
pub(super) trait Handshake: Clone + Send + 'static {
    type Stream: Send + 'static;

    /// Does the handshake with a client at this address. Returns the stream for the session, and who the
    /// client is. If the client is refused, sets `why`, and then tells the client.
    fn accept(
        self,
        client: (TcpStream, SocketAddr),
        why: &mut Option<AcceptError>,
    ) -> impl Future<Output = Option<(Self::Stream, Peer)>> + Send;
}

/// A listening socket, and the handshakes that are under way.
pub(super) struct Handshaking<H: Handshake> {
    listener: TcpAccept,
    handshake: H,
    handshakes: Arc<Handshakes>,
    clients: JoinSet<Result<(H::Stream, Peer), RefusedClient>>,
}

impl<H: Handshake> Handshaking<H> {
    pub(super) fn new(listener: TcpAccept, handshake: H) -> Self {
        Handshaking { listener, handshake, handshakes: Arc::new(Handshakes::new()), clients: JoinSet::new() }
    }

    fn begin(&mut self, room: Option<OwnedSemaphorePermit>, stream: TcpStream, address: SocketAddr) {
        let (handshake, handshakes) = (self.handshake.clone(), self.handshakes.clone());
        self.clients.spawn(async move {
            let (peer, mut why) = (Peer::at(address), None);
            let accepting = async {
                let Some(turn) = handshakes.turn(room?, &peer).await else {
                    why = Some(AcceptError::TooMany);
                    return None;
                };
                turn.run(handshake.accept((stream, address), &mut why)).await?
            };
            match within(HANDSHAKE, accepting).await.flatten() {
                Some(accepted) => Ok(accepted),
                None => Err(RefusedClient { peer, why: why.unwrap_or(AcceptError::TimedOut) }),
            }
        });
    }
}

impl<H: Handshake> Accept for Handshaking<H> {
    type Stream = H::Stream;

    async fn accept(&mut self) -> Option<io::Result<(H::Stream, Peer)>> {
        loop {
            let has_room = self.clients.len() < CLIENTS;
            tokio::select! {
                Some(done) = self.clients.join_next() => {
                    // Nothing panics there.
                    if let Ok(accepted) = done {
                        return Some(accepted.map_err(io::Error::other));
                    }
                }
                (room, accepted) = async {
                    (self.handshakes.room().await, self.listener.next().await)
                }, if has_room => match accepted? {
                    Ok((stream, address)) => self.begin(room, stream, address),
                    Err(error) => return Some(Err(error)),
                },
            }
        }
    }
}
