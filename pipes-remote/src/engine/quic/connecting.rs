//! The handshake with one address, which ends early if the address is unreachable.

use super::errors::explained;
use super::running::Running;
use crate::security::Noted;
use quinn::{ClientConfig, Connection, Endpoint, EndpointConfig};
use std::convert::Infallible;
use std::future::pending;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::net::UdpSocket;

/// Creates a new connection to one address. A certificate that is refused is in `noted`.
pub(super) async fn connect(
    (config, noted): (ClientConfig, Noted),
    name: String,
    to: SocketAddr,
) -> io::Result<Connection> {
    let socket = std::net::UdpSocket::bind((unspecified(to), 0))?;
    let endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Running::new())?;
    let connecting = endpoint.connect_with(config, to, &name).map_err(io::Error::other)?;
    tokio::select! {
        connected = connecting => connected.map_err(|error| noted.or(|| explained(error))),
        error = unreachable(to) => Err(error),
    }
}

/// Returns as soon as the system knows that no program has this UDP port, or that there is no way to it.
///
/// The socket of the connection does not learn this, because the system reports ICMP messages only to
/// connected sockets. If it were connected, any machine could end established connections by such a message.
/// So another socket sends an empty datagram, which QUIC servers drop. This socket is closed when the
/// handshake is done.
async fn unreachable(to: SocketAddr) -> io::Error {
    let asking = async {
        let socket = UdpSocket::bind((unspecified(to), 0)).await?;
        socket.connect(to).await?;
        socket.send(&[]).await?;
        loop {
            socket.recv(&mut [0]).await?;
        }
    };
    let asked: io::Result<Infallible> = asking.await;
    match asked {
        Err(error) if is_unreachable(error.kind()) => error,
        // Other errors are left to the handshake.
        _ => pending().await,
    }
}

fn is_unreachable(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable)
}

/// Returns the unspecified address of the same family.
fn unspecified(to: SocketAddr) -> IpAddr {
    if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() }
}
