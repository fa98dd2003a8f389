//! What the models share: counted payloads, a waker that can be seen, a ping-pong protocol.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use pipes::__private::{AsClient, AsServer, Ring, State};
use pipes::SendError;

/// A payload: the model reports it if it is leaked, and a count above one tells who still has a copy.
pub type Payload = Arc<()>;

/// Two references to one payload: one to send, one to count with.
pub fn payload() -> (Payload, Payload) {
    let payload = Arc::new(());
    (payload.clone(), payload)
}

/// Everything that was sent is gone.
pub fn assert_only(payload: &Payload) {
    assert_eq!(Arc::strong_count(payload), 1, "a payload was dropped twice or not at all");
}

/// A waker that counts.
pub struct Bell(AtomicUsize);

impl Bell {
    /// A bell that was not rung, and the waker that rings it.
    pub fn new() -> (std::sync::Arc<Bell>, Waker) {
        let bell = std::sync::Arc::new(Bell(AtomicUsize::new(0)));
        (bell.clone(), bell.into())
    }

    /// How often it was rung.
    pub fn rings(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

impl Wake for Bell {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Polls a receiver's readiness once.
pub fn poll(receiver: &mut impl pipes::Readiness, waker: &Waker) -> Poll<()> {
    receiver.poll_ready(&mut Context::from_waker(waker))
}

pipes::__endpoint! {
    /// The end that begins.
    pub struct Client<S>: AsClient;
}

pipes::__endpoint! {
    /// The end that answers.
    pub struct Server<S>: AsServer;
}

/// The client's turn.
#[derive(Debug)]
pub enum Ping {
    /// A ping, to be answered with this endpoint.
    Ping(Payload, Server<Pong>),
}

/// The server's turn.
#[derive(Debug)]
pub enum Pong {
    /// A pong, and the endpoint for the next ping.
    Pong(Payload, Client<Ping>),
    /// No more.
    Bye(Payload),
}

impl State for Ping {
    type Sender = AsClient;
    type Memory = Ring<Payload, 2>;
    type Payloads = (Payload,);
}

impl State for Pong {
    type Sender = AsServer;
    type Memory = Ring<Payload, 2>;
    type Payloads = (Payload,);
}

/// A fresh ping-pong.
pub fn ping_pong() -> (Client<Ping>, Server<Ping>) {
    let (client, server) = pipes::__private::pipe();
    (Client(client), Server(server))
}

impl Client<Ping> {
    /// Pings.
    pub fn ping(self, payload: Payload) -> Result<Client<Pong>, SendError<Payload>> {
        self.0.send(payload, |payload, server| Ping::Ping(payload, Server(server))).map(Client)
    }
}

impl Server<Pong> {
    /// Answers.
    pub fn pong(self, payload: Payload) -> Result<Server<Ping>, SendError<Payload>> {
        self.0.send(payload, |payload, client| Pong::Pong(payload, Client(client))).map(Server)
    }

    /// Answers for the last time.
    pub fn bye(self, payload: Payload) -> Result<(), SendError<Payload>> {
        self.0.finish(payload, Pong::Bye)
    }
}
