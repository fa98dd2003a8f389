//! A protocol that starts with a receive: `hello: recv { hello(P) -> reply }  reply: send { again(P) -> hello, thanks -> ! }`.

use pipes::__private::{AsClient, AsServer, Ring, State};
use pipes::SendError;

pipes::__endpoint! {
    /// The end that is greeted.
    pub struct Client<S>: AsClient;
}

pipes::__endpoint! {
    /// The end that greets.
    pub struct Server<S>: AsServer;
}

/// The server's turn.
#[derive(Debug)]
pub enum Hello<P> {
    /// A greeting, to be answered with this endpoint.
    Hello(P, Client<Reply<P>>),
}

/// The client's turn.
#[derive(Debug)]
pub enum Reply<P> {
    /// Greet me again.
    Again(P, Server<Hello<P>>),
    /// No more.
    Thanks,
}

impl<P> State for Hello<P> {
    type Sender = AsServer;
    type Memory = Ring<P, 2>;
    type Payloads = (P,);
}

impl<P> State for Reply<P> {
    type Sender = AsClient;
    type Memory = Ring<P, 2>;
    type Payloads = (P,);
}

/// A fresh pipe.
pub fn pipe<P>() -> (Client<Hello<P>>, Server<Hello<P>>) {
    let (client, server) = pipes::__private::pipe();
    (Client(client), Server(server))
}

impl<P> Server<Hello<P>> {
    /// Greets.
    ///
    /// # Errors
    ///
    /// The client has left; here is the payload.
    pub fn hello(self, payload: P) -> Result<Server<Reply<P>>, SendError<P>> {
        self.0.send(payload, |payload, client| Hello::Hello(payload, Client(client))).map(Server)
    }
}

impl<P> Client<Reply<P>> {
    /// Asks for more.
    ///
    /// # Errors
    ///
    /// The server has left; here is the payload.
    pub fn again(self, payload: P) -> Result<Client<Hello<P>>, SendError<P>> {
        self.0.send(payload, |payload, server| Reply::Again(payload, Server(server))).map(Client)
    }

    /// Ends the session.
    ///
    /// # Errors
    ///
    /// The server has left.
    pub fn thanks(self) -> Result<(), SendError<()>> {
        self.0.finish((), |()| Reply::Thanks)
    }
}
