//! The bank: branches, retries, and messages with zero, one and two values.
//!
//! `run-pass/pipe-bank-proto.rs`, Rust 0.5, where it was only compiled. Its two styles of a client are a
//! `match` and, in the place of its `follow!` macro, `let … else`. A deposit before the login, a second
//! receive and a second use of an endpoint are among the programs that must not compile.

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
    let mut account = 0.0;
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

/// A bank that accepts every login and pays each customer fifty.
fn generous(server: bank::server::Login) {
    let Ok(Login::Login(_, _, server)) = server.recv() else { panic!("the customer logs in") };
    let server = server.ok().expect("the customer waits");
    let Ok(Connected::Withdrawal(_, server)) = server.recv() else { panic!("the customer asks for money") };
    drop(server.money(50.0).expect("the customer waits"));
}

/// The client in the first style.
fn bank_client(client: bank::client::Login) -> Result<Money, &'static str> {
    let client = client.login("theincredibleholk".to_owned(), "1234").map_err(|_| "no bank")?;
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
fn both_styles_of_a_client_get_their_money() {
    watched(|| {
        let (client, bank) = serve::<bank::Protocol, _>(generous);
        assert_eq!(bank_client(client), Ok(50.0));
        bank.join().expect("the bank closes");
        let (client, bank) = serve::<bank::Protocol, _>(generous);
        assert_eq!(bank_client_in_brief(client), Some(50.0));
        bank.join().expect("the bank closes");
    });
}

#[test]
fn a_refused_customer_is_back_at_the_login_and_may_retry() {
    watched(|| {
        let (mut client, bank) = serve::<bank::Protocol, _>(honest);
        for wrong in ["4321", "password", ""] {
            let asked = client.login("eric".to_owned(), wrong).expect("the bank is there");
            let Ok(LoginResponse::Invalid(again)) = asked.recv() else { panic!("the password is wrong") };
            client = again;
        }
        let asked = client.login("eric".to_owned(), "1234").expect("the bank is there");
        assert!(matches!(asked.recv(), Ok(LoginResponse::Ok(_))));
        assert_eq!(bank.join().expect("the bank closes"), Some(0.0));
    });
}

#[test]
fn deposits_need_no_answer_and_withdrawals_have_one() {
    watched(|| {
        let (client, bank) = serve::<bank::Protocol, _>(honest);
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
        assert_eq!(bank.join().expect("the bank closes"), Some(77.0));
    });
}

/// The states of the bank, in the order of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Login,
    LoginResponse,
    Connected,
    WithdrawalResponse,
}

const STATES: [At; 4] = [At::Login, At::LoginResponse, At::Connected, At::WithdrawalResponse];

/// A bank that calls `end` in the given state.
fn mortal(server: bank::server::Login, at: At, end: fn()) {
    if at == At::Login {
        return end();
    }
    let Ok(Login::Login(_, _, server)) = server.recv() else { panic!("the customer logs in") };
    if at == At::LoginResponse {
        return end();
    }
    let server = server.ok().expect("the customer waits");
    if at == At::Connected {
        return end();
    }
    let Ok(Connected::Withdrawal(_, _server)) = server.recv() else { panic!("the customer asks for money") };
    end();
}

/// The customer of a bank that is dead or dying learns of it where the bank stopped, and does not hang.
#[test]
fn a_bank_that_dies_in_each_state() {
    watched(|| {
        for at in STATES {
            for (dies, end) in [(false, (|| ()) as fn()), (true, || die())] {
                let (client, bank) = serve::<bank::Protocol, _>(move |server| mortal(server, at, end));
                assert_eq!(bank_client_in_brief(client), None, "{at:?}");
                assert_eq!(died(bank.join()), dies, "{at:?}");
            }
        }
    });
}

/// The bank is dead before the customer begins: the close is found at the same state, behind the messages
/// that were sent before it, if any.
#[test]
fn a_bank_that_is_dead_in_each_state() {
    watched(|| {
        let (client, server) = bank::pipe();
        drop(server);
        let (name, word) =
            client.login("eric".to_owned(), "1234").expect_err("nobody is there").into_payload();
        assert_eq!((name.as_str(), word), ("eric", "1234"));

        let (client, server) = bank::pipe();
        let client = client.login("eric".to_owned(), "1234").expect("the bank is there");
        drop(server);
        assert!(client.recv().is_err());

        let connected = || {
            let (client, server) = bank::pipe();
            let client = client.login("eric".to_owned(), "1234").expect("the bank is there");
            let Ok(Login::Login(_, _, server)) = server.recv() else { panic!("it was sent") };
            let server = server.ok().expect("the customer waits");
            let Ok(LoginResponse::Ok(client)) = client.recv() else { panic!("it was sent") };
            (client, server)
        };
        let (client, server) = connected();
        drop(server);
        assert_eq!(client.deposit(1.0).map(drop).map_err(|error| error.into_payload()), Err(1.0));

        let (client, server) = connected();
        let client = client.withdrawal(1.0).expect("the bank is there");
        let Ok(Connected::Withdrawal(_, server)) = server.recv() else { panic!("it was sent") };
        drop(server);
        assert!(client.recv().is_err());
    });
}

#[test]
fn it_is_unbounded_because_of_the_deposits() {
    assert_eq!(bank::BOUND, Bound::Unbounded { cycle: &["connected"] });
}
