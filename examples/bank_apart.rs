//! What the bank and its customer share: the protocol, and the functions of 07, which have not changed.

use bank::{Client, Connected, Login, Server, WithdrawalResponse};
use std::error::Error;

pipes::proto! {
    /// Online banking, as a client sees it.
    #[remote] // The only line of the protocol that 07 does not have.
    pub bank {
        login: send { login(user: String, password: String) -> login_response }
        login_response: recv { ok -> connected, invalid -> login }
        connected: send {
            deposit(u64) -> connected,
            withdrawal(u64) -> withdrawal_response,
        }
        withdrawal_response: recv { money(u64) -> connected, insufficient_funds -> connected }
    }
}

pub type OrLeft<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub fn withdraw(client: Client<Connected>, amount: u64) -> OrLeft<Client<Connected>> {
    let (answer, next) = match client.withdrawal(amount)?.recv()? {
        WithdrawalResponse::Money(amount, next) => (format!("got {amount}"), next),
        WithdrawalResponse::InsufficientFunds(next) => (String::from("insufficient funds"), next),
    };
    println!("asked for {amount}: {answer}");
    Ok(next)
}

/// The first phase. The types guarantee that no client reaches the second phase without the password.
pub fn admit(mut server: Server<Login>) -> OrLeft<Server<Connected>> {
    loop {
        let Login::Login(user, password, next) = server.recv()?;
        if (user.as_str(), password.as_str()) == ("ada", "countess") {
            return Ok(next.ok()?);
        }
        server = next.invalid()?;
    }
}

/// The second phase. Serves until the customer leaves, and returns the balance.
pub fn account(mut server: Server<Connected>) -> OrLeft<u64> {
    let mut balance = 0;
    while let Ok(message) = server.recv() {
        (balance, server) = match message {
            Connected::Deposit(amount, next) => (balance + amount, next),
            Connected::Withdrawal(amount, next) if amount <= balance => {
                (balance - amount, next.money(amount)?)
            }
            Connected::Withdrawal(_, next) => (balance, next.insufficient_funds()?),
        };
    }
    Ok(balance)
}
