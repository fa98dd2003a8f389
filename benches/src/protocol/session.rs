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

// SAFETY: the payload is all that is sent, a message keeps it, what makes the message captures nothing, and
// there is no more than one.
unsafe impl State for Hello {
    type Sender = AsClient;
    type Memory = Ring<u64, 1>;
    type Payloads = (u64,);
}

impl SentBy<AsClient> for Hello {}

/// A fresh pipe.
#[inline]
pub fn pipe() -> (Client<Hello>, Server<Hello>) {
    // SAFETY: the ends are private to this module, whose methods are the steps of the protocol.
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
        // SAFETY: this is the only message, which ends the session.
        unsafe { self.0.finish(number, Hello::Hello, |number| (number,)) }.map_err(not_sent)
    }
}
