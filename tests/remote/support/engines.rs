//! Places over each engine, and what two programs say to each other there.

use crate::numbers;
use pipes::Listener;
use pipes_remote::engine::{Engine, Memory, Quic, Tcp, Tls, Ws};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{Via, memory, quic_free_port, tcp_free_port, tls_free_port, ws_free_port, wss_free_port};
use std::thread::{self, JoinHandle};
use tokio::runtime::Builder;

/// A place, as its server and as its clients name it.
#[derive(Debug)]
pub struct Sides<E: Engine> {
    /// For the server.
    pub here: Via<E>,
    /// For its clients.
    pub there: Via<E>,
}

impl<E: Engine> Sides<E> {
    /// A place that has one name.
    pub fn same(here: Via<E>) -> Self {
        Sides { there: here.clone(), here }
    }

    /// Clients do not wait for the answer.
    pub fn eager(self) -> Self {
        Sides { here: self.here, there: self.there.eager() }
    }
}

/// Inside of this program.
pub fn memory_sides() -> Sides<Memory> {
    Sides::same(memory())
}

/// A port of TCP.
pub fn tcp_sides() -> Sides<Tcp> {
    Sides::same(tcp_free_port().expect("there is a free port"))
}

/// A port for WebSockets.
pub fn ws_sides() -> Sides<Ws> {
    Sides::same(ws_free_port().expect("there is a free port"))
}

/// The host and the port in an address.
pub fn host_and_port(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, rest)| rest.trim_end_matches('/'))
}

/// A port of TLS, of QUIC, or for WebSockets, whose server is known.
pub fn secured_sides<E: Secured>() -> Sides<E> {
    let server = new();
    let here = E::free(showing(&server));
    Sides { there: E::at(here.address(), trusting(&server)), here }
}

/// An engine with certificates.
pub trait Secured: Engine + Sized {
    /// A free port.
    fn free(security: Security) -> Via<Self>;

    /// A place without sessions, as its clients see it.
    fn open_at(address: String, security: Security) -> Self;

    /// A place, as its clients see it.
    fn at(address: String, security: Security) -> Via<Self> {
        Via::new(Self::open_at(address, security))
    }
}

impl Secured for Tls {
    fn free(security: Security) -> Via<Tls> {
        tls_free_port(security).expect("there is a free port")
    }

    fn open_at(address: String, security: Security) -> Tls {
        Tls::new(address, security)
    }
}

impl Secured for Quic {
    fn free(security: Security) -> Via<Quic> {
        quic_free_port(security).expect("there is a free port")
    }

    fn open_at(address: String, security: Security) -> Quic {
        Quic::new(address, security)
    }
}

impl Secured for Ws {
    fn free(security: Security) -> Via<Ws> {
        wss_free_port(security).expect("there is a free port")
    }

    fn open_at(address: String, security: Security) -> Ws {
        Ws::secure(address, security)
    }
}

/// A new identity.
pub fn new() -> Identity {
    Identity::generate().expect("there are random numbers")
}

/// Shows this identity.
pub fn showing(identity: &Identity) -> Security {
    Security::new().identity(identity)
}

/// Trusts the server with this identity.
pub fn trusting(identity: &Identity) -> Security {
    Security::new().servers(Trust::fingerprint(identity.fingerprint()))
}

/// Sums some numbers up, over a session.
pub async fn sum(client: numbers::Client<numbers::Open>) -> u64 {
    let mut client = client;
    for number in 1..=100 {
        client = client.number(number).expect("the link stands");
    }
    let numbers::Sum::Sum(sum) = client.done().expect("the link stands").await.expect("it answers");
    sum
}

/// Sums up what a client says.
pub async fn serve(server: numbers::Server<numbers::Open>) {
    let (mut sum, mut server) = (0, server);
    loop {
        match server.await.expect("the link stands") {
            numbers::Open::Number(number, next) => (sum, server) = (sum + number, next),
            numbers::Open::Done(answer) => return answer.sum(sum).expect("the link stands"),
        }
    }
}

/// Serves the next client, and asserts that it has its sum.
pub async fn serves(listener: &mut Listener<numbers::Protocol>, client: numbers::Client<numbers::Open>) {
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

/// Serves all clients in threads.
pub fn serve_all(mut listener: Listener<numbers::Protocol>) -> JoinHandle<()> {
    thread::spawn(move || {
        while let Ok(server) = listener.accept() {
            let task =
                move || Builder::new_current_thread().build().expect("it can be had").block_on(serve(server));
            thread::spawn(task);
        }
    })
}

/// Sums up a number, by blocking calls. The numbers before it have this sum.
pub fn add(client: numbers::Client<numbers::Open>, number: u64, before: u64) {
    let client = client.number(number).expect("the link stands").done().expect("the link stands");
    let numbers::Sum::Sum(sum) = client.recv().expect("it answers");
    assert_eq!(sum, before + number);
}
