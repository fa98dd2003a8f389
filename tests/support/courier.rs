//! Delegation: `offer: send { deliver(E) -> offer, last(E) -> ! }`, where `E` is an endpoint of another protocol.

use pipes::__private::{AsClient, Chain, State};
use pipes::SendError;

pipes::__endpoint! {
    /// The end that sends endpoints.
    pub struct Client<S>: AsClient;
}

pipes::__endpoint! {
    /// The end that receives them.
    pub struct Server<S>: AsServer;
}

/// The only state.
#[derive(Debug)]
pub enum Offer<E> {
    /// An endpoint, and the one for the next delivery.
    Deliver(E, Server<Offer<E>>),
    /// The last endpoint.
    Last(E),
}

impl<E> State for Offer<E> {
    type Sender = AsClient;
    type Memory = Chain<E>;
    type Payloads = (E,);
}

/// A fresh pipe.
pub fn pipe<E>() -> (Client<Offer<E>>, Server<Offer<E>>) {
    let (client, server) = pipes::__private::pipe();
    (Client(client), Server(server))
}

impl<E> Client<Offer<E>> {
    /// Delivers an endpoint.
    ///
    /// # Errors
    ///
    /// The server has left; here is the endpoint.
    pub fn deliver(self, endpoint: E) -> Result<Self, SendError<E>> {
        self.0.send(endpoint, |endpoint, server| Offer::Deliver(endpoint, Server(server))).map(Client)
    }

    /// Delivers the last endpoint, and ends the session.
    ///
    /// # Errors
    ///
    /// The server has left; here is the endpoint.
    pub fn last(self, endpoint: E) -> Result<(), SendError<E>> {
        self.0.finish(endpoint, Offer::Last)
    }
}
