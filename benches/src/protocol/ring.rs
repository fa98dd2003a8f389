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

// SAFETY: `Payloads` holds `u64`, the only type that is sent; a message puts its whole payload into the
// state's value; what makes a message captures nothing; the memory is no ring, because the protocol is not
// bounded.
unsafe impl State for Num {
    type Sender = AsClient;
    type Memory = Chain<u64>;
    type Payloads = (u64,);
}

impl SentBy<AsClient> for Num {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Num>, Server<Num>) {
    // SAFETY: this module is the protocol that `Num` is a state of. It gives both endpoints away only inside
    // `Client` and `Server`, whose methods are the steps of the protocol.
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
        // SAFETY: the protocol has a message with a `u64` as its payload, which leads from `Num` to `Num`,
        // and the first closure makes this message.
        unsafe { self.0.send(number, |number, next| Num::Num(number, Server(next)), |number, _| [(number,)]) }
            .map(Client)
            .map_err(not_sent)
    }
}
