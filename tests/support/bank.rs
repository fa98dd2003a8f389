//! An account into which one may pay without end:
//! `account: send { deposit(P) -> account, withdraw(u64) -> answer, leave -> ! }
//! answer: recv { money(P) -> account, empty -> account }`.

use pipes::__private::{AsClient, AsServer, Chain, State};
use pipes::SendError;

pipes::__endpoint! {
    /// The customer's end.
    pub struct Client<S>: AsClient;
}

pipes::__endpoint! {
    /// The bank's end.
    pub struct Server<S>: AsServer;
}

/// The customer's turn.
#[derive(Debug)]
pub enum Account<P> {
    /// Keep this.
    Deposit(P, Server<Account<P>>),
    /// Give so much back.
    Withdraw(u64, Server<Answer<P>>),
    /// No more.
    Leave,
}

/// The bank's turn.
#[derive(Debug)]
pub enum Answer<P> {
    /// Here it is.
    Money(P, Client<Account<P>>),
    /// There is nothing.
    Empty(Client<Account<P>>),
}

impl<P> State for Account<P> {
    type Sender = AsClient;
    type Memory = Chain<(P, u64)>;
    type Payloads = (P, u64);
}

impl<P> State for Answer<P> {
    type Sender = AsServer;
    type Memory = Chain<(P, u64)>;
    type Payloads = (P, u64);
}

/// A fresh pipe.
pub fn pipe<P>() -> (Client<Account<P>>, Server<Account<P>>) {
    let (client, server) = pipes::__private::pipe();
    (Client(client), Server(server))
}

impl<P> Client<Account<P>> {
    /// Pays in.
    ///
    /// # Errors
    ///
    /// The bank has left; here is the payload.
    pub fn deposit(self, payload: P) -> Result<Self, SendError<P>> {
        self.0.send(payload, |payload, server| Account::Deposit(payload, Server(server))).map(Client)
    }

    /// Asks for money.
    ///
    /// # Errors
    ///
    /// The bank has left; here is the amount.
    pub fn withdraw(self, amount: u64) -> Result<Client<Answer<P>>, SendError<u64>> {
        self.0.send(amount, |amount, server| Account::Withdraw(amount, Server(server))).map(Client)
    }

    /// Ends the session.
    ///
    /// # Errors
    ///
    /// The bank has left.
    pub fn leave(self) -> Result<(), SendError<()>> {
        self.0.finish((), |()| Account::Leave)
    }
}

impl<P> Server<Answer<P>> {
    /// Pays out.
    ///
    /// # Errors
    ///
    /// The customer has left; here is the payload.
    pub fn money(self, payload: P) -> Result<Server<Account<P>>, SendError<P>> {
        self.0.send(payload, |payload, client| Answer::Money(payload, Client(client))).map(Server)
    }

    /// Has nothing.
    ///
    /// # Errors
    ///
    /// The customer has left.
    pub fn empty(self) -> Result<Server<Account<P>>, SendError<()>> {
        self.0.send((), |(), client| Answer::Empty(Client(client))).map(Server)
    }
}
