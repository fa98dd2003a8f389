//! The listening sockets of a name, one for each of its addresses.

use super::address::Address;
use super::errno::{AfterAccept, after_accept, is_not_here};
use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::task::{Context, Poll};

/// How often another free port is tried, if the port of the first socket is in use at another address.
const PORTS: usize = 16;

/// Listening sockets, which are polled in turn.
#[derive(Debug)]
pub(super) struct Listeners<L> {
    sockets: Vec<L>,
    next: usize,
}

impl<L> Listeners<L> {
    pub(super) fn new(sockets: Vec<L>) -> Self {
        Listeners { sockets, next: 0 }
    }

    /// Waits for the next client of any socket. Returns `None` if a socket has become unusable. Cancel-safe.
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

/// Binds all of these addresses. A family that this machine lacks is skipped, if there is another one. If the
/// port is 0, the system chooses a port, which is the same for all.
///
/// # Errors
///
/// One of them is in use, or is not an address of this machine.
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
    // If the machine has the family, what it lacks is the address.
    let is_here = |address: &SocketAddr| bound.iter().any(|(is_ipv6, _)| *is_ipv6 == address.is_ipv6());
    match missing.into_iter().find(|(address, _)| bound.is_empty() || is_here(address)) {
        Some(failed) => Err(failed),
        None => Ok(bound.into_iter().map(|(_, socket)| socket).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::time::Duration;
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    /// The results that a socket returns, one after the other.
    type Script = RefCell<VecDeque<io::Result<u32>>>;

    fn play(script: &Script, _: &mut Context<'_>) -> Poll<io::Result<u32>> {
        script.borrow_mut().pop_front().map_or(Poll::Pending, Poll::Ready)
    }

    /// Accepts the next client, which must be there already.
    async fn next(listeners: &mut Listeners<Script>) -> Option<io::Result<u32>> {
        timeout(Duration::from_secs(1), listeners.accept(play)).await.expect("it waits in vain")
    }

    fn all() -> Vec<SocketAddr> {
        ["127.0.0.1:0", "127.0.0.2:0"].map(|it| it.parse().expect("it is an address")).into()
    }

    #[tokio::test]
    async fn port_0_is_the_same_port_for_all_addresses() {
        let name = Address::new("name:0");
        let sockets = bind(&name, &all(), TcpListener::bind, TcpListener::local_addr).await;
        let sockets = sockets.expect("there is a port that is free at both");
        let [first, second] = &*sockets else { panic!("there are two addresses") };
        let [first, second] = [first, second].map(|it| it.local_addr().expect("it is bound"));
        assert_ne!(first.port(), 0);
        assert_eq!((first.port(), second.ip()), (second.port(), all()[1].ip()));
    }

    #[tokio::test]
    async fn another_port_is_chosen_if_it_is_taken_at_one_address() {
        let (name, asked) = (Address::new("name:0"), RefCell::new(Vec::new()));
        let next = |address: SocketAddr| {
            let chosen = if address.port() == 0 { 10 + asked.borrow().len() as u16 } else { address.port() };
            asked.borrow_mut().push(address.port());
            let is_taken = address.port() == 10;
            let bound = SocketAddr::new(address.ip(), chosen);
            async move { if is_taken { Err(ErrorKind::AddrInUse.into()) } else { Ok(bound) } }
        };
        let bound = bind(&name, &all(), next, |bound| Ok(*bound)).await.expect("the second port is free");
        assert_eq!(bound.iter().map(SocketAddr::port).collect::<Vec<_>>(), [12, 12]);
        assert_eq!(*asked.borrow(), [0, 10, 0, 12]);
    }

    #[tokio::test(start_paused = true)]
    async fn sockets_take_turns() {
        let busy = |clients: [u32; 3]| Script::new(clients.map(Ok).into());
        let mut listeners = Listeners::new(vec![busy([1, 2, 3]), busy([10, 20, 30])]);
        let mut accepted = Vec::new();
        while accepted.len() < 6 {
            accepted.push(next(&mut listeners).await.expect("none is lost").expect("a client"));
        }
        assert_eq!(accepted, [1, 10, 2, 20, 3, 30]);
    }

    #[tokio::test(start_paused = true)]
    #[cfg(unix)]
    async fn a_listener_ends_with_a_socket_and_not_with_a_client() {
        let error = io::Error::from_raw_os_error;
        let script =
            [Err(error(libc::ECONNABORTED)), Ok(1), Err(error(libc::EMFILE)), Err(error(libc::EBADF))];
        let mut listeners = Listeners::new(vec![Script::new(script.into())]);
        assert_eq!(next(&mut listeners).await.expect("it is open").expect("it follows a failure"), 1);
        let scarce = next(&mut listeners).await.expect("it is open").expect_err("it lacks a descriptor");
        assert_eq!(scarce.raw_os_error(), Some(libc::EMFILE));
        assert!(next(&mut listeners).await.is_none());
    }
}
