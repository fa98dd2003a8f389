//! The bank: branches, retries, and messages with zero, one and two values.
//!
//! `run-pass/pipe-bank-proto.rs`, which was only compiled.

use super::{Sleeper, die, died};
use bank::{Connected, Login, LoginResponse, WithdrawalResponse};
use pipes_tests::{test_in, watched};

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

/// A client that draws money.
fn customer(client: bank::client::Login) -> Option<Money> {
    let Ok(LoginResponse::Ok(client)) = client.login("eric".to_owned(), "1234").ok()?.recv() else {
        return None;
    };
    let Ok(WithdrawalResponse::Money(money, _)) = client.withdrawal(50.0).ok()?.recv() else { return None };
    Some(money)
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
#[test_in(watched)]
fn a_bank_that_dies_in_each_state() {
    for state in 0..4 {
        for (dies, end) in [(false, (|| ()) as fn()), (true, || die())] {
            let (client, server) = bank::pipe();
            let bank = Sleeper::spawn(move || mortal(server, state, end));
            assert_eq!(customer(client), None, "{state}");
            assert_eq!(died(bank.join()), dies, "{state}");
        }
    }
}
