//! Both ends of a pipe at every stage of a session.

use pipes_tests::bank::{self, Account};
use pipes_tests::greeting::{self, Hello};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Counted, Tally, courier};
use std::any::Any;

/// An end of a pipe in any state; `()` for an end whose session is over.
pub type End = Box<dyn Any + Send>;

/// Brings a session to a stage; returns the client's end and the server's.
pub type Stage = fn(&Tally) -> (End, End);

fn ends(client: impl Any + Send, server: impl Any + Send) -> (End, End) {
    (Box::new(client), Box::new(server))
}

/// Client and server after a ping was received.
pub fn pinged(tally: &Tally) -> (pingpong::Client<Pong<Counted>>, pingpong::Server<Pong<Counted>>) {
    let (client, server) = pingpong::pipe();
    let client = client.ping(tally.make(1)).expect("the server is there");
    let Ok(Ping::Ping(_, server)) = server.recv() else { panic!("the client has pinged") };
    (client, server)
}

/// Client and server with this many unread deposits between them.
pub fn paid_in(
    tally: &Tally,
    deposits: u64,
) -> (bank::Client<Account<Counted>>, bank::Server<Account<Counted>>) {
    let (mut client, server) = bank::pipe();
    for number in 0..deposits {
        client = client.deposit(tally.make(number)).expect("the bank is there");
    }
    (client, server)
}

/// Every stage, with a name.
pub const STAGES: &[(&str, Stage)] = &[
    ("pingpong: fresh", |_| {
        let (client, server) = pingpong::pipe::<Counted>();
        ends(client, server)
    }),
    ("pingpong: ping unread", |tally| {
        let (client, server) = pingpong::pipe();
        ends(client.ping(tally.make(1)).expect("the server is there"), server)
    }),
    ("pingpong: ping read", |tally| {
        let (client, server) = pinged(tally);
        ends(client, server)
    }),
    ("pingpong: pong unread", |tally| {
        let (client, server) = pinged(tally);
        ends(client, server.pong(tally.make(2)).expect("the client is there"))
    }),
    ("pingpong: bye unread", |tally| {
        let (client, server) = pinged(tally);
        server.bye(tally.make(2)).expect("the client is there");
        ends(client, ())
    }),
    ("pingpong: second round", |tally| {
        let (client, server) = pinged(tally);
        let server = server.pong(tally.make(2)).expect("the client is there");
        let Ok(Pong::Pong(_, client)) = client.recv() else { panic!("the server has answered") };
        ends(client.ping(tally.make(3)).expect("the server is there"), server)
    }),
    ("greeting: fresh", |_| {
        let (client, server) = greeting::pipe::<Counted>();
        ends(client, server)
    }),
    ("greeting: hello unread", |tally| {
        let (client, server) = greeting::pipe();
        ends(client, server.hello(tally.make(1)).expect("the client is there"))
    }),
    ("greeting: hello read", |tally| {
        let (client, server) = greeting::pipe();
        let server = server.hello(tally.make(1)).expect("the client is there");
        let Ok(Hello::Hello(_, client)) = client.recv() else { panic!("the server has greeted") };
        ends(client, server)
    }),
    ("greeting: again unread", |tally| {
        let (client, server) = greeting::pipe();
        let server = server.hello(tally.make(1)).expect("the client is there");
        let Ok(Hello::Hello(_, client)) = client.recv() else { panic!("the server has greeted") };
        ends(client.again(tally.make(2)).expect("the server is there"), server)
    }),
    ("greeting: thanks unread", |tally| {
        let (client, server) = greeting::pipe();
        let server = server.hello(tally.make(1)).expect("the client is there");
        let Ok(Hello::Hello(_, client)) = client.recv() else { panic!("the server has greeted") };
        client.thanks().expect("the server is there");
        ends((), server)
    }),
    ("bank: fresh", |tally| {
        let (client, server) = paid_in(tally, 0);
        ends(client, server)
    }),
    ("bank: one deposit unread", |tally| {
        let (client, server) = paid_in(tally, 1);
        ends(client, server)
    }),
    ("bank: blocks of deposits unread", |tally| {
        let (client, server) = paid_in(tally, 500);
        ends(client, server)
    }),
    ("bank: withdrawal behind unread deposits", |tally| {
        let (client, server) = paid_in(tally, 500);
        ends(client.withdraw(7).expect("the bank is there"), server)
    }),
    ("bank: leave behind unread deposits", |tally| {
        let (client, server) = paid_in(tally, 500);
        client.leave().expect("the bank is there");
        ends((), server)
    }),
    ("bank: withdrawal read", |tally| {
        let (client, server) = paid_in(tally, 0);
        let client = client.withdraw(7).expect("the bank is there");
        let Ok(Account::Withdraw(7, server)) = server.recv() else { panic!("it was asked for") };
        ends(client, server)
    }),
    ("bank: money unread", |tally| {
        let (client, server) = paid_in(tally, 0);
        let client = client.withdraw(7).expect("the bank is there");
        let Ok(Account::Withdraw(7, server)) = server.recv() else { panic!("it was asked for") };
        ends(client, server.money(tally.make(7)).expect("the customer is there"))
    }),
    ("bank: empty unread", |tally| {
        let (client, server) = paid_in(tally, 0);
        let client = client.withdraw(7).expect("the bank is there");
        let Ok(Account::Withdraw(7, server)) = server.recv() else { panic!("it was asked for") };
        ends(client, server.empty().expect("the customer is there"))
    }),
    ("courier: endpoint with an unread ping, unread", |tally| {
        let (inner, delivered) = pingpong::pipe();
        let inner = inner.ping(tally.make(1)).expect("the server is there");
        let (client, server) = courier::pipe();
        let client = client.deliver(delivered).expect("the server is there");
        ends((client, inner), server)
    }),
    ("courier: last endpoint unread", |tally| {
        let (inner, delivered) = pingpong::pipe();
        let inner = inner.ping(tally.make(1)).expect("the server is there");
        let (client, server) = courier::pipe();
        client.last(delivered).expect("the server is there");
        ends(inner, server)
    }),
    ("oneshot: fresh", |_| {
        let (chan, port) = pipes::oneshot::<Counted>();
        ends(chan, port)
    }),
    ("oneshot: unread", |tally| {
        let (chan, port) = pipes::oneshot();
        chan.send(tally.make(1)).expect("the port is there");
        ends((), port)
    }),
    ("stream: fresh", |_| {
        let (chan, port) = pipes::stream::<Counted>();
        ends(chan, port)
    }),
    ("stream: unread", |tally| {
        let (mut chan, port) = pipes::stream();
        (0..500).for_each(|number| chan.send(tally.make(number)).expect("the port is there"));
        ends(chan, port)
    }),
    ("stream: half read", |tally| {
        let (mut chan, mut port) = pipes::stream();
        (0..500).for_each(|number| chan.send(tally.make(number)).expect("the port is there"));
        assert_eq!(port.iter().take(250).count(), 250);
        ends(chan, port)
    }),
];
