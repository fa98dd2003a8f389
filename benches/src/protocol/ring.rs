//! A number, repeatedly: `num: send { num(u64) -> num }`.

use pipes::__private::{AsClient, Chain, SentBy, State, not_sent};
use pipes::SendError;

pipes::__endpoint! {
    /// The end that sends.
    pub struct Client<S>: AsClient;
}

pipes::__endpoint! {
    /// The end that receives.
    pub struct Server<S>: AsServer;
}

/// The only state.
#[derive(Debug)]
pub enum Num {
    /// A number, and the endpoint for the next one.
    Num(u64, Server<Num>),
}

// SAFETY: the payload is all that is sent, a message keeps it, and what makes the message captures nothing.
unsafe impl State for Num {
    type Sender = AsClient;
    type Memory = Chain<u64>;
    type Payloads = (u64,);
}

impl SentBy<AsClient> for Num {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Num>, Server<Num>) {
    // SAFETY: the ends are private to this module, whose methods are the steps of the protocol.
    let (client, server) = unsafe { pipes::__private::pipe() };
    (Client(client), Server(server))
}

impl Client<Num> {
    /// Sends a number.
    ///
    /// # Errors
    ///
    /// The server has closed; the error contains the number.
    #[inline]
    pub fn num(self, number: u64) -> Result<Client<Num>, SendError<u64>> {
        // SAFETY: this is the only message, which leads to the same state.
        unsafe { self.0.send(number, |number, next| Num::Num(number, Server(next)), |number, _| [(number,)]) }
            .map(Client)
            .map_err(not_sent)
    }
}
