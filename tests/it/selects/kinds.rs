//! Receivers of every kind, side by side.

use pipes::{
    Closed, PortSet, RecvError, SetEmpty, duplex_stream, oneshot, select, shared_stream, stream, sync_stream,
};
use pipes_tests::bank::{self, Account, AnyServer, ServerMessage};
use pipes_tests::courier::{self, Offer};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::watched;
use std::thread;
use std::time::Duration;

/// Which of three endpoints, of three protocols and both sides, has a message; the others are dropped.
fn heard(
    mut caller: pingpong::Client<Pong<u64>>,
    mut account: bank::Server<Account<u64>>,
    mut offers: courier::Server<Offer<&'static str>>,
) -> &'static str {
    select! {
        answer = caller => match answer {
            Ok(Pong::Pong(..)) => "pong",
            Ok(Pong::Bye(_)) => "bye",
            Err(RecvError) => "no answer",
        },
        message = account => match message {
            Ok(Account::Deposit(..)) => "deposit",
            Ok(Account::Withdraw(..)) => "withdrawal",
            Ok(Account::Leave) => "leave",
            Err(RecvError) => "no customer",
        },
        offer = offers => match offer {
            Ok(Offer::Deliver(word, _) | Offer::Last(word)) => word,
            Err(RecvError) => "no offer",
        },
        timeout(Duration::from_secs(1_000)) => "nothing",
    }
}

#[test]
fn endpoints_of_different_protocols() {
    watched(|| {
        let cases = [
            "pong",
            "bye",
            "no answer",
            "deposit",
            "withdrawal",
            "leave",
            "no customer",
            "parcel",
            "no offer",
        ];
        for case in cases {
            let ((client, server), (customer, account), (sender, offers)) =
                (pingpong::pipe(), bank::pipe(), courier::pipe());
            let caller = client.ping(1).expect("it is here");
            let Ok(Ping::Ping(number, answering)) = server.recv() else { panic!("it was sent") };
            let (mut answering, mut customer, mut sender) = (Some(answering), Some(customer), Some(sender));
            let (mut called, mut asked) = (None, None);
            match case {
                "pong" => called = answering.take().map(|server| server.pong(number).expect("it is here")),
                "bye" => answering.take().map_or((), |server| server.bye(number).expect("it is here")),
                "no answer" => answering = None,
                "deposit" => customer = customer.map(|customer| customer.deposit(1).expect("it is here")),
                "withdrawal" => {
                    asked = customer.take().map(|customer| customer.withdraw(1).expect("it is here"))
                }
                "leave" => customer.take().map_or((), |customer| customer.leave().expect("it is here")),
                "no customer" => customer = None,
                "parcel" => sender = sender.map(|sender| sender.deliver("parcel").expect("it is here")),
                _ => sender = None,
            }
            assert_eq!(heard(caller, account, offers), case);
            drop((answering, called, customer, asked, sender));
        }
    });
}

/// `Any` endpoints; one that does not receive is chosen at once, and comes back.
#[test]
fn endpoints_in_any_state() {
    watched(|| {
        let ((one, first), (_two, second)) = (bank::pipe::<u64>(), bank::pipe::<u64>());
        let (mut first, mut second) = (AnyServer::from(first), AnyServer::from(second));
        let asked = one.withdraw(5).expect("it is here");
        let (mut answering, mut second) = select! {
            message = first => match message {
                Ok(ServerMessage::Account(Account::Withdraw(5, answering))) => (AnyServer::from(answering), second),
                _ => panic!("something else was sent"),
            },
            _ = second => panic!("nobody sent"),
        };
        let back = select! {
            message = answering => message,
            _ = second => panic!("nobody sent"),
        };
        let Ok(ServerMessage::NotReceiving(AnyServer::Answer(answering))) = back else { panic!("it sends") };
        drop(answering.empty().expect("the customer waits"));
        assert!(matches!(asked.recv(), Ok(bank::Answer::Empty(_))));
    });
}

/// Ports of all kinds of streams, an end of a duplex stream, a oneshot and a set.
#[test]
fn ports_of_every_kind() {
    watched(|| {
        let ((mut endless, mut a), (mut bounded, mut b), (shared, mut c)) =
            (stream(), sync_stream(1), shared_stream());
        let ((mut other, mut d), (once, mut e)) = (duplex_stream::<u64, u64>(), oneshot());
        let mut set = PortSet::new();
        let mut member = set.chan();
        let (mut once, mut silent) = (Some(once), Vec::new());
        for number in 0..12 {
            match number % 6 {
                0 => endless.send(number).expect("it is here"),
                1 => bounded.send(number).expect("it is here"),
                2 => shared.send(number).expect("it is here"),
                3 => other.send(number).expect("it is here"),
                4 => member.send(number).expect("it is here"),
                _ => {
                    let Some(once) = once.take() else { break };
                    once.send(number).expect("it is here");
                }
            }
            let got = select! {
                number = a => number.ok(),
                number = b => number.ok(),
                number = c => number.ok(),
                number = d => number.ok(),
                number = e => {
                    let (chan, port) = oneshot();
                    silent.push(chan);
                    e = port;
                    number.ok()
                }
                turn = set => turn.ok().and_then(|(_, message)| message.ok()),
            };
            assert_eq!(got, Some(number));
        }
    });
}

/// The turns of a set in an arm: messages, a close, and the end of an empty set.
#[test]
fn a_set_and_a_oneshot() {
    watched(|| {
        let (quit, mut quitting) = oneshot();
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..4)
            .map(|sender| {
                let mut chan = set.chan();
                thread::spawn(move || {
                    (0..100).for_each(|number| chan.send(sender * number).expect("it is there"))
                })
            })
            .collect();
        let (mut sum, mut closes) = (0, 0);
        let empty = loop {
            select! {
                turn = set => match turn {
                    Ok((_, Ok(number))) => sum += number,
                    Ok((_, Err(Closed))) => closes += 1,
                    Err(SetEmpty) => break true,
                },
                word = quitting => break word.expect("nobody has told it to quit"),
            }
        };
        assert!(empty);
        assert_eq!((sum, closes), ((1 + 2 + 3) * 4950, 4));
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
        drop(quit);
    });
}

/// Waits for new clients, and for messages of those that are connected.
#[test]
fn a_service_on_one_thread() {
    watched(|| {
        let (connector, mut listener) = pipes::listen::<pingpong::Protocol<u64>>();
        let clients: Vec<_> = (0..6)
            .map(|number| {
                let connector = connector.clone();
                thread::spawn(move || {
                    let mut client = connector.connect().expect("somebody listens");
                    for round in 0..20 {
                        let waiting = client.ping(round + number).expect("it is served");
                        let Ok(Pong::Pong(answer, next)) = waiting.recv() else { panic!("it is served") };
                        assert_eq!(answer, round + number + 1);
                        client = next;
                    }
                })
            })
            .collect();
        drop(connector);
        let (mut set, mut served, mut listening) = (PortSet::new(), 0, true);
        loop {
            select! {
                client = listener, if listening => match client {
                    Ok(server) => drop(set.insert(server)),
                    Err(RecvError) => listening = false,
                },
                turn = set, if !set.is_empty() => match turn.expect("it has members") {
                    (key, Ok(Ping::Ping(number, answering))) => {
                        served += 1;
                        assert!(set.insert_at(key, answering.pong(number + 1).expect("it waits")).is_none());
                    }
                    (_, Err(Closed)) => {}
                },
                else => break,
            }
        }
        assert_eq!(served, 120);
        clients.into_iter().for_each(|client| client.join().expect("no client panics"));
    });
}
