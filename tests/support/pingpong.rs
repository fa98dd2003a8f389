//! There and back: `ping: send { ping(P) -> pong }  pong: recv { pong(P) -> ping, bye(P) -> ! }`.

use pipes::__private::{AsClient, AsServer, Ring, State};
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
pub enum Ping<P> {
    /// A ping, to be answered with this endpoint.
    Ping(P, Server<Pong<P>>),
}

/// The server's turn.
#[derive(Debug)]
pub enum Pong<P> {
    /// A pong, and the endpoint for the next ping.
    Pong(P, Client<Ping<P>>),
    /// No more.
    Bye(P),
}

impl<P> State for Ping<P> {
    type Sender = AsClient;
    type Memory = Ring<P, 2>;
    type Payloads = (P,);
}

impl<P> State for Pong<P> {
    type Sender = AsServer;
    type Memory = Ring<P, 2>;
    type Payloads = (P,);
}

/// A fresh pipe.
pub fn pipe<P>() -> (Client<Ping<P>>, Server<Ping<P>>) {
    let (client, server) = pipes::__private::pipe();
    (Client(client), Server(server))
}

impl<P> Client<Ping<P>> {
    /// Pings.
    ///
    /// # Errors
    ///
    /// The server has left; here is the payload.
    pub fn ping(self, payload: P) -> Result<Client<Pong<P>>, SendError<P>> {
        self.0.send(payload, |payload, server| Ping::Ping(payload, Server(server))).map(Client)
    }
}

impl<P> Server<Pong<P>> {
    /// Answers.
    ///
    /// # Errors
    ///
    /// The client has left; here is the payload.
    pub fn pong(self, payload: P) -> Result<Server<Ping<P>>, SendError<P>> {
        self.0.send(payload, |payload, client| Pong::Pong(payload, Client(client))).map(Server)
    }

    /// Answers for the last time.
    ///
    /// # Errors
    ///
    /// The client has left; here is the payload.
    pub fn bye(self, payload: P) -> Result<(), SendError<P>> {
        self.0.finish(payload, Pong::Bye)
    }
}
