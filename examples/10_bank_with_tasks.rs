//! 10 — Online banking, with tasks.
//!
//! You will see: the output of 07_bank, from two tasks that share one thread.
//! New here: `.await` instead of `recv()`. Before: 09_thread_and_task. Next: 11_borrowed_payload.
//!
//!     cargo run --example 10_bank_with_tasks

use bank::{Client, Connected, Login, LoginResponse, Server, WithdrawalResponse};
use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use std::error::Error;

pipes::proto! {
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

type OrLeft<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> OrLeft<()> {
    let (client, server) = bank::pipe();
    let mut pool = LocalPool::new();
    // Sending never blocks, so it needs no `.await`. Receiving does; while it waits, the other task runs.
    let serving = pool.spawner().spawn_local_with_handle(async { account(admit(server).await?).await })?;
    pool.run_until(visit(client))?;
    println!("left in the account: {}", pool.run_until(serving)?);
    Ok(())
}

async fn visit(client: Client<Login>) -> OrLeft<()> {
    let refused = client.login("ada".into(), "guess".into())?.await?;
    let LoginResponse::Invalid(client) = refused else { unreachable!("that is not her password") };
    println!("refused; once more");
    let admitted = client.login("ada".into(), "countess".into())?.await?;
    let LoginResponse::Ok(client) = admitted else { unreachable!("that is her password") };

    let client = client.deposit(100)?.deposit(20)?;
    let client = withdraw(client, 50).await?;
    withdraw(client, 500).await.map(drop) // This drops the endpoint: the customer leaves.
}

async fn withdraw(client: Client<Connected>, amount: u64) -> OrLeft<Client<Connected>> {
    let (answer, next) = match client.withdrawal(amount)?.await? {
        WithdrawalResponse::Money(amount, next) => (format!("got {amount}"), next),
        WithdrawalResponse::InsufficientFunds(next) => (String::from("insufficient funds"), next),
    };
    println!("asked for {amount}: {answer}");
    Ok(next)
}

async fn admit(mut server: Server<Login>) -> OrLeft<Server<Connected>> {
    loop {
        let Login::Login(user, password, next) = server.await?;
        if (user.as_str(), password.as_str()) == ("ada", "countess") {
            return Ok(next.ok()?);
        }
        server = next.invalid()?;
    }
}

async fn account(mut server: Server<Connected>) -> OrLeft<u64> {
    let mut balance = 0;
    while let Ok(message) = server.await {
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
