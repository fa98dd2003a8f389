//! Destructors: each runs once, whatever becomes of the message.

use crate::stages::{STAGES, paid_in, pinged};
use pipes_tests::bank::Account;
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Counted, Tally, courier, poll_future, watched};
use std::task::Waker;
use std::thread::Builder;

/// Runs in a thread with a very small stack.
fn with_little_stack(action: impl FnOnce() + Send + 'static) {
    watched(|| {
        let thread = Builder::new().stack_size(64 * 1024).spawn(action).expect("a thread can be had");
        thread.join().expect("64 KiB are enough");
    });
}

#[test]
fn nothing_is_dropped_while_both_ends_live() {
    for (name, stage) in STAGES {
        let tally = Tally::new();
        let ends = stage(&tally);
        let read = tally.gone();
        assert!(read == 0 || read <= tally.made(), "{name}");
        drop(ends);
        assert_eq!(tally.gone(), tally.made(), "{name}");
    }
}

#[test]
fn a_received_message_is_its_receivers() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe();
    let client = client.ping(tally.make(1)).unwrap();
    let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
    drop((client, server));
    assert_eq!((payload.number, tally.gone()), (1, 0), "it outlives the pipe");
    drop(payload);
    tally.assert_all_gone();
}

#[test]
fn a_payload_that_comes_back_is_its_senders() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    drop(client);
    let gone = tally.gone();
    let error = server.pong(tally.make(2)).unwrap_err();
    assert_eq!(tally.gone(), gone);
    assert_eq!(error.to_string(), "the receiver has left");
    drop(error);
    tally.assert_all_gone();
}

#[test]
fn a_message_in_a_dropped_future() {
    let tally = Tally::new();
    let (chan, port) = pipes::oneshot();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, Waker::noop()).is_pending());
    chan.send(tally.make(1)).unwrap();
    drop(receiving);
    tally.assert_all_gone();

    let (mut chan, mut port) = pipes::stream();
    chan.send(tally.make(2)).unwrap();
    drop(port.recv_async());
    assert_eq!(port.recv().unwrap().number, 2, "a port is only borrowed by its future");
    tally.assert_all_gone();
}

#[test]
fn a_message_whose_variant_is_thrown_away() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    let server = server.pong(tally.make(2)).unwrap();
    drop(client.recv());
    tally.assert_all_gone();
    assert!(server.recv().is_err(), "the endpoint was in the message");
}

#[test]
fn messages_in_iterators() {
    let tally = Tally::new();
    let (mut chan, mut port) = pipes::stream();
    (0..10).for_each(|number| chan.send(tally.make(number)).unwrap());
    assert_eq!(port.try_iter().take(3).count(), 3);
    assert_eq!(tally.gone(), 3);
    let mut rest = port.into_iter();
    assert_eq!(rest.next().unwrap().number, 3);
    drop(rest);
    tally.assert_all_gone();
    assert!(chan.is_closed());
}

#[test]
fn a_million_unread_messages_of_a_stream() {
    with_little_stack(|| {
        let tally = Tally::new();
        let (mut chan, port) = pipes::stream();
        for number in 0..1_000_000 {
            assert!(chan.send(tally.make(number)).is_ok());
        }
        drop(port);
        assert_eq!(tally.gone(), 1_000_000);
        assert!(chan.is_closed());
    });
}

#[test]
fn a_million_unread_messages_of_a_stream_whose_chan_has_gone() {
    with_little_stack(|| {
        let tally = Tally::new();
        let (mut chan, port) = pipes::stream();
        for number in 0..1_000_000 {
            assert!(chan.send(tally.make(number)).is_ok());
        }
        drop(chan);
        drop(port);
        assert_eq!(tally.gone(), 1_000_000);
    });
}

#[test]
fn a_million_unread_messages_of_a_protocol() {
    with_little_stack(|| {
        let tally = Tally::new();
        let (client, server) = paid_in(&tally, 1_000_000);
        let client = client.withdraw(1).unwrap();
        drop(server);
        assert_eq!(tally.gone(), 1_000_000);
        assert!(client.recv().is_err());
    });
}

/// A hundred thousand endpoints in one unread stream, each with an unread message of its own.
#[test]
fn many_endpoints_in_unread_messages() {
    with_little_stack(|| {
        let tally = Tally::new();
        let (mut outer, port) = courier::pipe();
        for number in 0..100_000 {
            let (client, server) = pingpong::pipe();
            drop(client.ping(tally.make(number)).unwrap());
            outer = outer.deliver(server).unwrap();
        }
        drop(port);
        assert_eq!(tally.gone(), 100_000);
        drop(outer);
    });
}

#[test]
fn a_million_messages_are_read_with_little_stack() {
    with_little_stack(|| {
        let tally = Tally::new();
        let (client, mut server) = paid_in(&tally, 100_000);
        client.leave().unwrap();
        let mut sum = 0;
        loop {
            match server.recv().unwrap() {
                Account::Deposit(payload, next) => {
                    sum += payload.number;
                    server = next;
                }
                Account::Withdraw(..) => panic!("nobody asks for money here"),
                Account::Leave => break,
            }
        }
        assert_eq!(sum, 99_999 * 100_000 / 2);
        tally.assert_all_gone();
    });
}

/// Forgetting an endpoint leaks its pipe, and its peer waits for ever, but nothing is dropped twice or used
/// after it was dropped.
#[test]
fn a_forgotten_endpoint_harms_nobody() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe::<Counted>();
    std::mem::forget(server);
    let client = client.ping(tally.make(1)).unwrap();
    assert!(!client.is_closed() && !client.is_ready());
    drop(client);
    assert_eq!(tally.gone(), 0);

    let (chan, mut port) = pipes::stream::<Counted>();
    std::mem::forget(chan);
    assert!(port.try_recv().is_err_and(|error| !error.is_closed()));
    drop(port);
}

#[test]
fn a_session_to_its_end_leaves_nothing() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    server.bye(tally.make(2)).unwrap();
    let Ok(Pong::Bye(payload)) = client.recv() else { panic!("it was sent") };
    assert_eq!(tally.gone(), 1);
    drop(payload);
    tally.assert_all_gone();
}
