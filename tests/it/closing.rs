//! Ends dropped at every stage of a session.

use crate::stages::{STAGES, paid_in, pinged};
use pipes::TryRecvError;
use pipes_tests::bank::{Account, Answer};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Tally, courier, greeting, watched};
use std::sync::{Arc, Barrier};
use std::thread;

#[test]
fn the_client_first() {
    for (name, stage) in STAGES {
        let tally = Tally::new();
        let (client, server) = stage(&tally);
        drop(client);
        drop(server);
        assert_eq!(tally.gone(), tally.made(), "{name}");
    }
}

#[test]
fn the_server_first() {
    for (name, stage) in STAGES {
        let tally = Tally::new();
        let (client, server) = stage(&tally);
        drop(server);
        drop(client);
        assert_eq!(tally.gone(), tally.made(), "{name}");
    }
}

#[test]
fn one_after_the_other_in_two_threads() {
    watched(|| {
        for (name, stage) in STAGES {
            for client_first in [false, true] {
                let tally = Tally::new();
                let (client, server) = stage(&tally);
                let (first, second) = if client_first { (client, server) } else { (server, client) };
                thread::spawn(move || drop(first)).join().expect("dropping does not panic");
                drop(second);
                assert_eq!(tally.gone(), tally.made(), "{name}");
            }
        }
    });
}

#[test]
fn both_at_once() {
    watched(|| {
        for (name, stage) in STAGES {
            for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                let tally = Tally::new();
                let (client, server) = stage(&tally);
                let start = Arc::new(Barrier::new(2));
                let go = start.clone();
                let other = thread::spawn(move || {
                    go.wait();
                    drop(client);
                });
                start.wait();
                drop(server);
                other.join().expect("dropping does not panic");
                assert_eq!(tally.gone(), tally.made(), "{name}");
            }
        }
    });
}

/// A thread that panics closes the ends that it owns, at every stage.
#[test]
fn a_panic_closes_what_the_thread_owned() {
    watched(|| {
        for (name, stage) in STAGES {
            for client_panics in [false, true] {
                let tally = Tally::new();
                let (client, server) = stage(&tally);
                let (owned, left) = if client_panics { (client, server) } else { (server, client) };
                let outcome = thread::spawn(move || {
                    let _owned = owned;
                    // No message on standard error, unlike `panic!`.
                    std::panic::resume_unwind(Box::new("on purpose"));
                });
                assert!(outcome.join().is_err());
                drop(left);
                assert_eq!(tally.gone(), tally.made(), "{name}");
            }
        }
    });
}

#[test]
fn a_message_is_dropped_at_once_when_its_receiver_leaves() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe();
    let client = client.ping(tally.make(1)).unwrap();
    drop(server);
    assert_eq!(tally.gone(), 1, "the client is still there");
    assert!(client.recv().is_err());

    let (client, server) = paid_in(&tally, 200);
    drop(server);
    assert_eq!(tally.gone(), 201);
    drop(client);
    tally.assert_all_gone();
}

#[test]
fn an_endpoint_in_an_unread_message_closes_at_once() {
    let (inner, delivered) = pingpong::pipe::<u64>();
    let inner = inner.ping(1).unwrap();
    let (client, server) = courier::pipe();
    let client = client.deliver(delivered).unwrap();
    assert!(!inner.is_closed());
    drop(server);
    assert!(inner.is_closed(), "the message that carried its peer is gone");
    assert!(inner.recv().is_err());
    assert!(client.deliver(pingpong::pipe().1).is_err());
}

/// An endpoint in an unread message of an endpoint that itself lies in an unread message: three pipes deep.
#[test]
fn endpoints_in_unread_messages_close_through_several_pipes() {
    let (inner, delivered) = pingpong::pipe::<u64>();
    let (middle, carried) = courier::pipe();
    let middle = middle.deliver(delivered).unwrap();
    let (outer, last) = courier::pipe();
    outer.last(carried).unwrap();
    drop(last);
    assert_eq!(inner.ping(5).map(drop).map_err(|error| error.into_payload()), Err(5));
    assert!(middle.deliver(pingpong::pipe().1).is_err());
}

#[test]
fn a_failed_send_gives_the_payload_back() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe();
    drop(server);
    let back = client.ping(tally.make(11)).unwrap_err().into_payload();
    assert_eq!(back.number, 11);

    let (client, server) = pinged(&tally);
    drop(client);
    let back = server.pong(tally.make(12)).unwrap_err().into_payload();
    assert_eq!(back.number, 12);

    let (client, server) = pinged(&tally);
    drop(client);
    let back = server.bye(tally.make(13)).unwrap_err().into_payload();
    assert_eq!(back.number, 13);

    let (client, server) = paid_in(&tally, 0);
    drop(server);
    assert_eq!(client.withdraw(14).unwrap_err().into_payload(), 14);

    let (client, server) = paid_in(&tally, 0);
    drop(server);
    client.leave().unwrap_err().into_payload();

    let (chan, port) = pipes::oneshot();
    drop(port);
    assert_eq!(chan.send(tally.make(15)).unwrap_err().into_payload().number, 15);

    assert_eq!(tally.gone() + 3, tally.made(), "three payloads are still held here");
    drop(back);
}

/// At each slot of a block, including the last one with its link to the next block.
#[test]
fn a_failed_send_gives_the_payload_back_at_every_slot_of_a_block() {
    for sent in 0..if cfg!(miri) { 40 } else { 150 } {
        let tally = Tally::new();
        let (client, server) = paid_in(&tally, sent);
        drop(server);
        let back = client.deposit(tally.make(999)).unwrap_err().into_payload();
        assert_eq!(back.number, 999);
        drop(back);
        tally.assert_all_gone();
    }
}

#[test]
fn sending_after_the_close_again_and_again() {
    let tally = Tally::new();
    for sent in 0..150 {
        let (mut chan, port) = pipes::stream();
        (0..sent).for_each(|number| chan.send(tally.make(number)).unwrap());
        assert!(!chan.is_closed());
        drop(port);
        assert!(chan.is_closed());
        for number in 0..70 {
            let back = chan.send(tally.make(number)).unwrap_err().into_payload();
            assert_eq!(back.number, number);
            assert!(chan.is_closed());
        }
    }
    tally.assert_all_gone();
}

#[test]
fn receiving_after_the_close_again_and_again() {
    let (chan, mut port) = pipes::stream::<u64>();
    drop(chan);
    for _ in 0..3 {
        assert!(port.is_closed() && !port.is_ready());
        assert_eq!(port.recv(), Err(pipes::RecvError));
        assert_eq!(port.try_recv(), Err(TryRecvError::Closed));
        assert_eq!(port.recv_timeout(std::time::Duration::ZERO), Err(pipes::RecvTimeoutError::Closed));
        assert_eq!(port.iter().next(), None);
        assert_eq!(port.try_iter().next(), None);
        assert!(futures::executor::block_on(port.recv_async()).is_err());
        futures::executor::block_on(port.ready());
    }
}

#[test]
fn what_was_sent_comes_before_the_close() {
    let tally = Tally::new();
    let (mut chan, mut port) = pipes::stream();
    (0..300).for_each(|number| chan.send(tally.make(number)).unwrap());
    drop(chan);
    assert!(!port.is_closed());
    for number in 0..300 {
        assert_eq!(port.recv().unwrap().number, number);
    }
    assert!(port.is_closed());
    assert!(port.recv().is_err());

    let (client, mut server) = paid_in(&tally, 300);
    drop(client);
    for number in 0..300 {
        let Ok(Account::Deposit(payload, next)) = server.recv() else { panic!("there is another") };
        assert_eq!(payload.number, number);
        server = next;
    }
    assert!(server.is_closed());
    assert!(server.recv().is_err());
    tally.assert_all_gone();
}

#[test]
fn the_last_message_comes_before_the_end() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    server.bye(tally.make(2)).unwrap();
    assert!(client.is_ready() && !client.is_closed());
    let Ok(Pong::Bye(payload)) = client.recv() else { panic!("the server has said bye") };
    assert_eq!(payload.number, 2);

    let (client, server) = greeting::pipe();
    let server = server.hello(tally.make(3)).unwrap();
    let Ok(greeting::Hello::Hello(_, client)) = client.recv() else { panic!("the server has greeted") };
    client.thanks().unwrap();
    assert!(matches!(server.recv(), Ok(greeting::Reply::Thanks)));
}

#[test]
fn each_side_learns_of_the_other_where_it_waits() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe::<u64>();
    drop(client);
    assert!(server.recv().is_err(), "in the first state");

    let (client, server) = pinged(&tally);
    drop(server);
    assert!(client.recv().is_err(), "after a message");

    let (client, server) = paid_in(&tally, 0);
    let client = client.withdraw(1).unwrap();
    let Ok(Account::Withdraw(1, server)) = server.recv() else { panic!("it was asked for") };
    let server = server.empty().unwrap();
    let Ok(Answer::Empty(client)) = client.recv() else { panic!("it was answered") };
    drop(client);
    assert!(server.recv().is_err(), "after both have sent");

    let (client, server) = pingpong::pipe::<u64>();
    let client = client.ping(1).unwrap();
    let Ok(Ping::Ping(1, server)) = server.recv() else { panic!("the client has pinged") };
    let server = server.pong(2).unwrap();
    drop(client);
    assert!(server.recv().is_err(), "with its own message unread");
}
