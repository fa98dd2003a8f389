//! 16 — The bank of 2012.
//!
//! You will see: a session of a protocol that was written for the first `pipes`.
//! New here: nothing, because the old protocol still works. Before: 15_bounded. Next: 17_first_answer.
//!
//!     cargo run --example 16_bank_of_2012

use std::thread;

// This is the protocol from the announcement of `pipes` in 2012. Only the outer braces and the names of types
// have changed. It began with `proto! bank (` and ended with `)`. These were its types:
//
//     login(username, password)      two names for ~str       today String
//     deposit(money), money(money)   a name for float         today f64
//     withdrawal(amount)             another name for float   today f64
pipes::proto! { bank {
    login: send {
        login(String, String) -> login_response
    }

    login_response: recv {
        ok -> connected,
        invalid -> login
    }

    connected: send {
        deposit(f64) -> connected,
        withdrawal(f64) -> withdrawal_response
    }

    withdrawal_response: recv {
        money(f64) -> connected,
        insufficient_funds -> connected
    }
} }

/// A customer. Endpoint types have their old names, in today's spelling.
fn customer(bank: bank::client::Login) {
    // In 2012: `let bank = client::login(bank, …);`, which did not tell whether the bank had left.
    let bank = bank.login("holk".into(), "1234".into()).expect("the bank has opened");
    let bank = match bank.recv() {
        Ok(bank::LoginResponse::Ok(connected)) => connected,
        Ok(bank::LoginResponse::Invalid(_)) => return println!("the password is wrong"),
        // In 2012: `None`. There was no other way to learn of a close.
        Err(closed) => return println!("no bank: {closed}"),
    };
    let bank = bank.deposit(100.00).expect("the bank is open");
    let bank = bank.withdrawal(50.00).expect("the bank is open");
    match bank.recv() {
        Ok(bank::WithdrawalResponse::Money(money, _)) => println!("drew {money:.2}"),
        Ok(bank::WithdrawalResponse::InsufficientFunds(_)) => println!("where has the money gone?"),
        Err(closed) => println!("no bank: {closed}"),
    }
}

/// A bank that accepts every customer. Returns the balance at the end.
fn teller(bank: bank::server::Login) -> f64 {
    const WAITS: &str = "the customer waits for the answer";
    let Ok(bank::Login::Login(_, _, bank)) = bank.recv() else { return 0.0 };
    let mut bank = bank.ok().expect(WAITS);
    let mut balance = 0.0;
    while let Ok(message) = bank.recv() {
        (balance, bank) = match message {
            bank::Connected::Deposit(money, bank) => (balance + money, bank),
            bank::Connected::Withdrawal(amount, bank) if amount <= balance => {
                (balance - amount, bank.money(amount).expect(WAITS))
            }
            bank::Connected::Withdrawal(_, bank) => (balance, bank.insufficient_funds().expect(WAITS)),
        };
    }
    balance
}

fn main() {
    let (client, server) = bank::pipe();
    let teller = thread::spawn(move || teller(server));
    customer(client);
    println!("left {:.2} in the account", teller.join().expect("the teller does not panic"));
}
