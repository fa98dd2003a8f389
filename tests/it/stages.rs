//! Both ends of a session at each of its stages.

use crate::payloads::{Shape, make};
use pipes_tests::bank::{self, Account};
use pipes_tests::greeting::{self, Hello};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Tally, courier};
use std::any::Any;

/// An end of a pipe in any state; `()` for an end whose session is over.
pub type End = Box<dyn Any + Send>;

/// Brings a session to a stage; returns the client's end and the server's.
pub type Stage = fn(&Tally) -> (End, End);

fn ends(client: impl Any + Send, server: impl Any + Send) -> (End, End) {
    (Box::new(client), Box::new(server))
}

/// Client and server after a ping was received.
pub fn pinged<P: Shape>(tally: &Tally) -> (pingpong::Client<Pong<P>>, pingpong::Server<Pong<P>>) {
    let (client, server) = pingpong::pipe();
    let client = client.ping(make(tally, 1)).expect("the server is there");
    let Ok(Ping::Ping(_, server)) = server.recv() else { panic!("the client has pinged") };
    (client, server)
}

/// Client and server with this many unread deposits between them.
pub fn paid_in<P: Shape>(
    tally: &Tally,
    deposits: u64,
) -> (bank::Client<Account<P>>, bank::Server<Account<P>>) {
    let (mut client, server) = bank::pipe();
    for number in 0..deposits {
        client = client.deposit(make(tally, number)).expect("the bank is there");
    }
    (client, server)
}

/// The server after the client has greeted it, and the client that can reply.
fn greeted<P: Shape>(
    tally: &Tally,
) -> (greeting::Client<greeting::Reply<P>>, greeting::Server<greeting::Reply<P>>) {
    let (client, server) = greeting::pipe();
    let server = server.hello(make(tally, 1)).expect("the client is there");
    let Ok(Hello::Hello(_, client)) = client.recv() else { panic!("the server has greeted") };
    (client, server)
}

/// Every stage, with a name.
pub fn stages<P: Shape>() -> Vec<(&'static str, Stage)> {
    vec![
        ("pingpong: ping unread", |tally| {
            let (client, server) = pingpong::pipe::<P>();
            ends(client.ping(make(tally, 1)).expect("the server is there"), server)
        }),
        ("pingpong: ping read", |tally| {
            let (client, server) = pinged::<P>(tally);
            ends(client, server)
        }),
        ("pingpong: pong unread", |tally| {
            let (client, server) = pinged::<P>(tally);
            ends(client, server.pong(make(tally, 2)).expect("the client is there"))
        }),
        ("pingpong: bye unread", |tally| {
            let (client, server) = pinged::<P>(tally);
            server.bye(make(tally, 2)).expect("the client is there");
            ends(client, ())
        }),
        ("greeting: again unread", |tally| {
            let (client, server) = greeted::<P>(tally);
            ends(client.again(make(tally, 2)).expect("the server is there"), server)
        }),
        ("greeting: thanks unread", |tally| {
            let (client, server) = greeted::<P>(tally);
            client.thanks().expect("the server is there");
            ends((), server)
        }),
        ("bank: withdrawal behind blocks of unread deposits", |tally| {
            let (client, server) = paid_in::<P>(tally, 150);
            ends(client.withdraw(7).expect("the bank is there"), server)
        }),
        ("bank: leave behind blocks of unread deposits", |tally| {
            let (client, server) = paid_in::<P>(tally, 150);
            client.leave().expect("the bank is there");
            ends((), server)
        }),
        ("bank: money unread", |tally| {
            let (client, server) = paid_in::<P>(tally, 0);
            let client = client.withdraw(7).expect("the bank is there");
            let Ok(Account::Withdraw(7, server)) = server.recv() else { panic!("it was asked for") };
            ends(client, server.money(make(tally, 7)).expect("the customer is there"))
        }),
        ("courier: endpoint with an unread ping, unread", |tally| {
            let (inner, delivered) = pingpong::pipe::<P>();
            let inner = inner.ping(make(tally, 1)).expect("the server is there");
            let (client, server) = courier::pipe();
            let client = client.deliver(delivered).expect("the server is there");
            ends((client, inner), server)
        }),
        ("courier: last endpoint unread", |tally| {
            let (inner, delivered) = pingpong::pipe::<P>();
            let inner = inner.ping(make(tally, 1)).expect("the server is there");
            let (client, server) = courier::pipe();
            client.last(delivered).expect("the server is there");
            ends(inner, server)
        }),
    ]
}
