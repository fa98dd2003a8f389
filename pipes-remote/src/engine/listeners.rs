//! The listening sockets of one address: a name has one for each of its addresses.

use super::address::Address;
use super::errno::{AfterAccept, after_accept, is_not_here};
use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::task::{Context, Poll};

/// How often another free port is asked for, if the one of the first socket is taken at another address.
const PORTS: usize = 16;

/// Listening sockets, which are served by turns.
#[derive(Debug)]
pub(super) struct Listeners<L> {
    sockets: Vec<L>,
    next: usize,
}

impl<L> Listeners<L> {
    pub(super) fn new(sockets: Vec<L>) -> Self {
        Listeners { sockets, next: 0 }
    }

    /// Waits for the next client of any socket. Returns `None` if a socket is lost. It is cancel-safe.
    pub(super) async fn accept<T>(
        &mut self,
        poll: impl Fn(&L, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Option<io::Result<T>> {
        poll_fn(|cx| {
            for _ in 0..self.sockets.len() {
                while let Poll::Ready(accepted) = poll(&self.sockets[self.next], cx) {
                    match accepted.as_ref().err().map(after_accept) {
                        Some(AfterAccept::Next) => {}
                        Some(AfterAccept::End) => return Poll::Ready(None),
                        Some(AfterAccept::Pause) | None => {
                            self.turn();
                            return Poll::Ready(Some(accepted));
                        }
                    }
                }
                self.turn();
            }
            Poll::Pending
        })
        .await
    }

    fn turn(&mut self) {
        self.next = (self.next + 1) % self.sockets.len();
    }
}

/// Takes all of these addresses. A family that this machine lacks is passed over, as long as there is another
/// one. If the port is 0, the system chooses one, which is the same for all.
///
/// # Errors
///
/// One of them is taken, or is not of this machine.
pub(super) async fn bind<T, F>(
    address: &Address,
    all: &[SocketAddr],
    bind: impl Fn(SocketAddr) -> F,
    local: fn(&T) -> io::Result<SocketAddr>,
) -> io::Result<Vec<T>>
where
    F: Future<Output = io::Result<T>>,
{
    let is_free_port = all.iter().all(|address| address.port() == 0);
    let mut tries = if is_free_port { PORTS } else { 1 };
    loop {
        tries -= 1;
        match bind_once(all, &bind, local).await {
            Err((_, error)) if error.kind() == ErrorKind::AddrInUse && tries > 0 => {}
            bound => return bound.map_err(|failed| address.failure(vec![failed])),
        }
    }
}

async fn bind_once<T, F>(
    all: &[SocketAddr],
    bind: impl Fn(SocketAddr) -> F,
    local: fn(&T) -> io::Result<SocketAddr>,
) -> Result<Vec<T>, (SocketAddr, io::Error)>
where
    F: Future<Output = io::Result<T>>,
{
    let (mut bound, mut missing, mut port) = (Vec::new(), Vec::new(), None);
    for &(mut address) in all {
        address.set_port(port.unwrap_or(address.port()));
        match bind(address).await {
            Ok(socket) => {
                port = Some(local(&socket).map_err(|error| (address, error))?.port());
                bound.push((address.is_ipv6(), socket));
            }
            Err(error) if is_not_here(&error) => missing.push((address, error)),
            Err(error) => return Err((address, error)),
        }
    }
    // The machine has the family, so what it lacks is the address.
    let is_here = |address: &SocketAddr| bound.iter().any(|(is_ipv6, _)| *is_ipv6 == address.is_ipv6());
    match missing.into_iter().find(|(address, _)| bound.is_empty() || is_here(address)) {
        Some(failed) => Err(failed),
        None => Ok(bound.into_iter().map(|(_, socket)| socket).collect()),
    }
}
