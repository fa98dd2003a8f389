//! One message: `hello: send { hello(u64) -> ! }`.

use pipes::__private::{AsClient, Ring, SentBy, State, not_sent};
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
pub enum Hello {
    /// A number, and the end of the session.
    Hello(u64),
}

// SAFETY: `Payloads` holds `u64`, the only type that is sent; a message puts its whole payload into the
// state's value; what makes a message captures nothing; the session has only one message, so a ring needs one
// slot.
unsafe impl State for Hello {
    type Sender = AsClient;
    type Memory = Ring<u64, 1>;
    type Payloads = (u64,);
}

impl SentBy<AsClient> for Hello {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Hello>, Server<Hello>) {
    // SAFETY: this module is the protocol that `Hello` is a state of. It gives both endpoints away only
    // inside `Client` and `Server`, whose methods are the steps of the protocol.
    let (client, server) = unsafe { pipes::__private::pipe() };
    (Client(client), Server(server))
}

impl Client<Hello> {
    /// Sends the message, which ends the session.
    ///
    /// # Errors
    ///
    /// The server has closed; the error contains the number.
    #[inline]
    pub fn hello(self, number: u64) -> Result<(), SendError<u64>> {
        // SAFETY: the protocol has a message with a `u64` as its payload, which ends the session, and
        // `Hello::Hello` makes this message.
        unsafe { self.0.finish(number, Hello::Hello, |number| (number,)) }.map_err(not_sent)
    }
}
