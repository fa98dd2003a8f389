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

// SAFETY: `Payloads` is `()`, the only type that is sent from this state on; a message puts its whole payload
// into the state's value; what makes a message captures nothing; neither side sends twice in a row, so a ring
// needs two slots.
unsafe impl State for Ping {
    type Sender = AsClient;
    type Memory = Ring<(), 2>;
    type Payloads = ();
}

impl SentBy<AsClient> for Ping {}

// SAFETY: `Payloads` is `()`, the only type that is sent from this state on; a message puts its whole payload
// into the state's value; what makes a message captures nothing; neither side sends twice in a row, so a ring
// needs two slots.
unsafe impl State for Pong {
    type Sender = AsServer;
    type Memory = Ring<(), 2>;
    type Payloads = ();
}

impl SentBy<AsServer> for Pong {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Ping>, Server<Ping>) {
    // SAFETY: this module is the protocol that `Ping` is a state of. It gives both endpoints away only inside
    // `Client` and `Server`, whose methods are the steps of the protocol.
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
        // SAFETY: the protocol has a message with the payload `()`, which leads from `Ping` to `Pong`, and
        // the first closure makes this message.
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
        // SAFETY: the protocol has a message with the payload `()`, which leads from `Pong` to `Ping`, and
        // the first closure makes this message.
        unsafe { self.0.send((), |(), next| Pong::Pong(Client(next)), |(), _| [()]) }
            .map(Server)
            .map_err(not_sent)
    }
}
