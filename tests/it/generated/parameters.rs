//! Parameters that only some states have, and those that get new arguments in a step.

use letter::{Count, Greet, Take};
use pipes_tests::{Counted, DropCounter, test_in, watched};
use std::fmt::Display;
use std::thread;

pipes::proto! {
    /// Each state has only the parameters of messages that may still come: the last state has none.
    #[bounded(2)]
    letter<'a, T: Display, const N: usize> {
        greet: send { greet(&'a str) -> take }
        take: send { take([T; N]) -> count }
        count: recv { count(usize) -> again, enough -> ! }
        again: send { again(u8) -> count }
    }

    /// The same without a bound.
    log<'a, T> {
        open: send { source(&'a str) -> lines }
        lines: send { line(T) -> lines, close -> closing }
        closing: recv { written(usize) -> ! }
    }

    /// A payload of any type first, then bytes without end.
    widening {
        open<T>: send { send(T) -> open<Vec<u8>>, same(T) -> open<T> }
    }
}

// The types show which state has which parameters.
static_assertions::assert_type_eq_all!(
    letter::client::Greet<'static, u8, 3>,
    letter::Client<Greet<'static, u8, 3>>
);
static_assertions::assert_type_eq_all!(letter::server::Take<u8, 3>, letter::Server<Take<u8, 3>>);
static_assertions::assert_type_eq_all!(letter::client::Count, letter::Client<Count>);
static_assertions::assert_type_eq_all!(log::client::Lines<String>, log::Client<log::Lines<String>>);
static_assertions::assert_type_eq_all!(log::client::Closing, log::Client<log::Closing>);

/// An endpoint whose type no longer mentions the borrow may go to a thread that lives for ever.
#[test_in(watched)]
fn an_endpoint_outlives_what_was_sent_through_its_pipe() {
    let (client, server) = {
        let text = String::from("dear");
        let (client, server) = letter::pipe::<&str, 2>();
        let client =
            client.greet(&text).expect("the server is here").take([&text, "reader"]).expect("and here");
        let Ok(Greet::Greet(read, server)) = server.recv() else { panic!("it was sent") };
        let Ok(Take::Take(words, server)) = server.recv() else { panic!("it was sent") };
        assert_eq!((read, words), ("dear", ["dear", "reader"]));
        (client, server)
    };
    let serving = thread::spawn(move || {
        let mut server = server.count(2).expect("the client is there");
        for _ in 0..100 {
            let Ok(letter::Again::Again(number, answering)) = server.recv() else { panic!("it is sent") };
            server = answering.count(number.into()).expect("the client waits");
        }
    });
    let mut client = client;
    for number in 0..100 {
        let Ok(Count::Count(_, next)) = client.recv() else { panic!("the server counts") };
        client = next.again(number).expect("the server is there");
    }
    assert!(matches!(client.recv(), Ok(Count::Count(99, _))));
    serving.join().expect("the client is there");
}

/// One side is in a state without parameters while messages of earlier states are unread.
#[test]
fn unread_messages_of_states_with_more_parameters() {
    for client_first in [false, true] {
        let drops = DropCounter::new();
        let (client, server) = log::pipe::<Counted>();
        let mut client = client.source("here").expect("the server is here");
        for number in 0..200 {
            client = client.line(drops.make(number)).expect("the server is here");
        }
        let client: log::client::Closing = client.close().expect("the server is here");
        if client_first {
            drop(client);
            assert_eq!(drops.dropped(), 0);
            drop(server);
        } else {
            drop(server);
            assert_eq!(drops.dropped(), 200, "at once");
            assert!(client.recv().is_err());
        }
        drops.assert_all_dropped();
    }
}

/// An `Any` endpoint has the parameters of all states.
#[test]
fn any_state_has_all_parameters() {
    let (client, server) = letter::pipe::<u8, 1>();
    let client = client.greet("hello").expect("the server is here").take([7]).expect("and here");
    let mut any: letter::AnyServer<'_, u8, 1> = server.into();
    for _ in 0..2 {
        any = match any.recv() {
            Ok(letter::ServerMessage::Greet(Greet::Greet("hello", next))) => next.into(),
            Ok(letter::ServerMessage::Take(Take::Take([7], next))) => next.into(),
            other => panic!("{other:?} was not sent"),
        };
    }
    let letter::AnyServer::Count(server) = any else { panic!("it is the server's turn") };
    server.enough().expect("the client is here");
    assert!(matches!(
        letter::AnyClient::<u8, 1>::from(client).recv(),
        Ok(letter::ClientMessage::Count(Count::Enough))
    ));
}

/// Unread messages of both instances, at every slot of a block.
#[test]
fn unread_messages_of_two_instances() {
    for before in 0..70 {
        for client_first in [false, true] {
            let drops = DropCounter::new();
            let (mut client, server) = widening::pipe();
            for number in 0..before {
                client = client.same(drops.make(number)).expect("the server is here");
            }
            let client = client.send(drops.make(before)).expect("the server is here");
            let client = client.send(vec![1, 2, 3]).expect("the server is here");
            let client = client.same(vec![4]).expect("the server is here");
            if client_first {
                drop(client);
                drop(server);
            } else {
                drop(server);
                let refused = client.send(vec![5]).map(drop);
                assert_eq!(refused.map_err(|error| error.into_payload()), Err(vec![5]));
            }
            assert_eq!(drops.dropped() as u64, before + 1);
        }
    }
}
