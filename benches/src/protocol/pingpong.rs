//! A ping and a pong: `ping: send { ping -> pong }  pong: recv { pong -> ping }`.

use pipes::__private::{AsClient, AsServer, Ring, SentBy, State, not_sent};
use pipes::SendError;

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
    Ping(Server<Pong>),
}

/// The server's turn.
#[derive(Debug)]
pub enum Pong {
    /// A pong, and the endpoint for the next ping.
    Pong(Client<Ping>),
}

// SAFETY: the payload is all that is sent, a message keeps it, what makes the message captures nothing, and
// neither side sends twice in a row.
unsafe impl State for Ping {
    type Sender = AsClient;
    type Memory = Ring<(), 2>;
    type Payloads = ();
}

impl SentBy<AsClient> for Ping {}

// SAFETY: the payload is all that is sent, a message keeps it, what makes the message captures nothing, and
// neither side sends twice in a row.
unsafe impl State for Pong {
    type Sender = AsServer;
    type Memory = Ring<(), 2>;
    type Payloads = ();
}

impl SentBy<AsServer> for Pong {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Ping>, Server<Ping>) {
    // SAFETY: the ends are private to this module, whose methods are the steps of the protocol.
    let (client, server) = unsafe { pipes::__private::pipe() };
    (Client(client), Server(server))
}

impl Client<Ping> {
    /// Sends a ping.
    ///
    /// # Errors
    ///
    /// The server has closed.
    #[inline]
    pub fn ping(self) -> Result<Client<Pong>, SendError<()>> {
        // SAFETY: this is the message `Ping`, which leads to `Pong`.
        unsafe { self.0.send((), |(), next| Ping::Ping(Server(next)), |(), _| [()]) }
            .map(Client)
            .map_err(not_sent)
    }
}

impl Server<Pong> {
    /// Sends a pong.
    ///
    /// # Errors
    ///
    /// The client has closed.
    #[inline]
    pub fn pong(self) -> Result<Server<Ping>, SendError<()>> {
        // SAFETY: this is the message `Pong`, which leads to `Ping`.
        unsafe { self.0.send((), |(), next| Pong::Pong(Client(next)), |(), _| [()]) }
            .map(Server)
            .map_err(not_sent)
    }
}
