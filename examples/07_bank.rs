//! 07 — Online banking, on threads.
//!
//! You will see: a customer who is refused, logs in, deposits money, withdraws some, and asks for too much.
//! New here: a protocol with phases, each served by its own function. Before: 06_closing. Next: 08_stream.
//!
//!     cargo run --example 07_bank

use bank::{Client, Connected, Login, LoginResponse, Server, WithdrawalResponse};
use pipes::SessionError;
use std::thread;

pipes::proto! {
    /// Online banking, as a client sees it.
    bank {
        login: send { login(user: String, password: String) -> login_response }
        login_response: recv { ok -> connected, invalid -> login }
        connected: send {
            deposit(u64) -> connected,
            withdrawal(u64) -> withdrawal_response,
        }
        withdrawal_response: recv { money(u64) -> connected, insufficient_funds -> connected }
    }
}

type OrLeft<T> = Result<T, SessionError>;

fn main() -> OrLeft<()> {
    let (client, server) = bank::pipe();
    let serving = thread::spawn(move || account(admit(server)?));

    // `client.deposit(100)` here would not compile: `Client<Connected>` has this method, `Client<Login>` not.
    let refused = client.login("ada".into(), "guess".into())?.recv()?;
    let LoginResponse::Invalid(client) = refused else { unreachable!("that is not her password") };
    println!("refused; once more");
    let admitted = client.login("ada".into(), "countess".into())?.recv()?;
    let LoginResponse::Ok(client) = admitted else { unreachable!("that is her password") };

    let client = client.deposit(100)?.deposit(20)?; // A deposit has no answer: the next step follows at once.
    let client = withdraw(client, 50)?;
    let client = withdraw(client, 500)?;
    drop(client);
    println!("left in the account: {}", serving.join().expect("the bank does not panic")?);
    Ok(())
}

fn withdraw(client: Client<Connected>, amount: u64) -> OrLeft<Client<Connected>> {
    let (answer, next) = match client.withdrawal(amount)?.recv()? {
        WithdrawalResponse::Money(amount, next) => (format!("got {amount}"), next),
        WithdrawalResponse::InsufficientFunds(next) => (String::from("insufficient funds"), next),
    };
    println!("asked for {amount}: {answer}");
    Ok(next)
}

/// The first phase. The types guarantee that no client reaches the second phase without the password.
fn admit(mut server: Server<Login>) -> OrLeft<Server<Connected>> {
    loop {
        let Login::Login(user, password, next) = server.recv()?;
        if (user.as_str(), password.as_str()) == ("ada", "countess") {
            return Ok(next.ok()?);
        }
        server = next.invalid()?;
    }
}

/// The second phase. Serves until the customer leaves, and returns the balance.
fn account(mut server: Server<Connected>) -> OrLeft<u64> {
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
