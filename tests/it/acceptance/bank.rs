//! The bank: branches, retries, and messages with zero, one and two values.
//!
//! `run-pass/pipe-bank-proto.rs`, which was only compiled. Its two styles of a client are a `match` and, in
//! the place of its `follow!` macro, `let … else`.

use super::{die, died, serve};
use bank::{Connected, Login, LoginResponse, WithdrawalResponse};
use pipes::Bound;
use pipes_tests::watched;

type Name = String;
type Word = &'static str;
type Money = f64;

pipes::proto! {
    bank {
        login: send {
            login(Name, Word) -> login_response,
        }
        login_response: recv {
            ok -> connected,
            invalid -> login,
        }
        connected: send {
            deposit(Money) -> connected,
            withdrawal(Money) -> withdrawal_response,
        }
        withdrawal_response: recv {
            money(Money) -> connected,
            insufficient_funds -> connected,
        }
    }
}

/// A bank that knows one password and lends nothing. Ends when the customer leaves.
fn honest(mut server: bank::server::Login) -> Option<Money> {
    let mut server = loop {
        let Login::Login(name, word, answering) = server.recv().ok()?;
        if (name.as_str(), word) == ("eric", "1234") {
            break answering.ok().ok()?;
        }
        server = answering.invalid().ok()?;
    };
    let mut account = 50.0;
    loop {
        server = match server.recv() {
            Ok(Connected::Deposit(money, next)) => {
                account += money;
                next
            }
            Ok(Connected::Withdrawal(money, answering)) if money <= account => {
                account -= money;
                answering.money(money).ok()?
            }
            Ok(Connected::Withdrawal(_, answering)) => answering.insufficient_funds().ok()?,
            Err(_) => return Some(account),
        };
    }
}

/// The client in the first style.
fn bank_client(client: bank::client::Login, name: &str) -> Result<Money, &'static str> {
    let client = client.login(name.to_owned(), "1234").map_err(|_| "no bank")?;
    let client = match client.recv() {
        Ok(LoginResponse::Ok(connected)) => connected,
        Ok(LoginResponse::Invalid(_)) => return Err("login failed"),
        Err(_) => return Err("bank closed the connection"),
    };
    match client.withdrawal(50.0).map_err(|_| "no bank")?.recv() {
        Ok(WithdrawalResponse::Money(money, _)) => Ok(money),
        Ok(WithdrawalResponse::InsufficientFunds(_)) => Err("not enough money"),
        Err(_) => Err("bank closed the connection"),
    }
}

/// The client in the second style.
fn bank_client_in_brief(client: bank::client::Login) -> Option<Money> {
    let Ok(LoginResponse::Ok(client)) = client.login("eric".to_owned(), "1234").ok()?.recv() else {
        return None;
    };
    let Ok(WithdrawalResponse::Money(money, _)) = client.withdrawal(50.0).ok()?.recv() else { return None };
    Some(money)
}

#[test]
fn both_styles_of_a_client() {
    watched(|| {
        for (name, outcome) in [("eric", Ok(50.0)), ("theincredibleholk", Err("login failed"))] {
            let (client, bank) = serve::<bank::Protocol, _>(honest);
            assert_eq!(bank_client(client, name), outcome);
            assert_eq!(bank.join().expect("the bank closes"), outcome.is_ok().then_some(0.0));
        }
        let (client, bank) = serve::<bank::Protocol, _>(honest);
        assert_eq!(bank_client_in_brief(client), Some(50.0));
        bank.join().expect("the bank closes");
    });
}

/// A refused customer is back at the login. Deposits need no answer, and withdrawals have one.
#[test]
fn a_long_session() {
    watched(|| {
        let (mut client, bank) = serve::<bank::Protocol, _>(honest);
        for wrong in ["4321", "password", ""] {
            let asked = client.login("eric".to_owned(), wrong).expect("the bank is there");
            let Ok(LoginResponse::Invalid(again)) = asked.recv() else { panic!("the password is wrong") };
            client = again;
        }
        let asked = client.login("eric".to_owned(), "1234").expect("the bank is there");
        let Ok(LoginResponse::Ok(mut client)) = asked.recv() else { panic!("the password is right") };
        for _ in 0..100 {
            client = client.deposit(1.0).expect("the bank is there");
        }
        let asked = client.withdrawal(1_000.0).expect("the bank is there");
        let Ok(WithdrawalResponse::InsufficientFunds(client)) = asked.recv() else { panic!("there is less") };
        let asked = client.withdrawal(30.0).expect("the bank is there");
        let Ok(WithdrawalResponse::Money(money, client)) = asked.recv() else { panic!("there is more") };
        assert_eq!(money, 30.0);
        drop(client.deposit(7.0).expect("the bank is there"));
        assert_eq!(bank.join().expect("the bank closes"), Some(127.0));
    });
}

/// A bank that calls `end` in the given state, counted in the order of a session.
fn mortal(server: bank::server::Login, state: usize, end: fn()) {
    if state == 0 {
        return end();
    }
    let Ok(Login::Login(_, _, server)) = server.recv() else { panic!("the customer logs in") };
    if state == 1 {
        return end();
    }
    let server = server.ok().expect("the customer waits");
    if state == 2 {
        return end();
    }
    let Ok(Connected::Withdrawal(_, _server)) = server.recv() else { panic!("the customer asks for money") };
    end();
}

/// The customer of a bank that leaves or dies learns of it where the bank stopped, and does not hang.
#[test]
fn a_bank_that_dies_in_each_state() {
    watched(|| {
        for state in 0..4 {
            for (dies, end) in [(false, (|| ()) as fn()), (true, || die())] {
                let (client, bank) = serve::<bank::Protocol, _>(move |server| mortal(server, state, end));
                assert_eq!(bank_client_in_brief(client), None, "{state}");
                assert_eq!(died(bank.join()), dies, "{state}");
            }
        }
    });
}

#[test]
fn it_is_unbounded_because_of_the_deposits() {
    assert_eq!(bank::BOUND, Bound::Unbounded { cycle: &["connected"] });
}
