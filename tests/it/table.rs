//! The table of a slot's transitions, cell by cell, tested through the public interface on one thread.
//!
//! A row is a step, a column the slot state that it finds. Missing cells cannot be reached through the types:
//! a message is sent once a turn, a sender that has sent is past its slot, and a receiver unregisters before
//! it does anything else.

use crate::stages::{paid_in, pinged};
use pipes::{Readiness, TryRecvError};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, Tally, poll};
use std::task::Waker;
use std::time::Duration;

#[test]
fn send_finds_empty() {
    let (client, server) = pingpong::pipe();
    let client = client.ping(1).unwrap();
    assert!(server.is_ready() && !server.is_closed());
    assert!(!client.is_ready() && !client.is_closed());
    assert!(matches!(server.recv(), Ok(Ping::Ping(1, _))));
}

#[test]
fn send_finds_waiting() {
    let (bell, waker) = Bell::new();
    let (client, mut server) = pingpong::pipe();
    assert!(poll(&mut server, &waker).is_pending());
    let _client = client.ping(1).unwrap();
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    assert!(matches!(server.recv(), Ok(Ping::Ping(1, _))));
}

/// The receiver has registered and unregistered.
#[test]
fn send_finds_empty_after_waiting() {
    let (bell, waker) = Bell::new();
    let (client, mut server) = pingpong::pipe();
    assert!(poll(&mut server, &waker).is_pending());
    assert!(!server.wait(Some(std::time::Instant::now())));
    assert_eq!(bell.wakers(), 2, "a look leaves it there");
    bell.gives_way(|time| assert!(!server.wait(std::time::Instant::now().checked_add(time))));
    let _client = client.ping(1).unwrap();
    assert_eq!(bell.rings(), 0);
    assert!(server.is_ready());
}

#[test]
fn send_finds_closed() {
    let (client, server) = pingpong::pipe();
    drop(server);
    assert_eq!(client.ping(1).unwrap_err().into_payload(), 1);
}

#[test]
fn the_last_send_finds_empty() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    server.bye(tally.make(2)).unwrap();
    assert!(matches!(client.recv(), Ok(Pong::Bye(_))));
    tally.assert_all_gone();
}

#[test]
fn the_last_send_finds_waiting() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (mut client, server) = pinged(&tally);
    assert!(poll(&mut client, &waker).is_pending());
    server.bye(tally.make(2)).unwrap();
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    assert!(matches!(client.recv(), Ok(Pong::Bye(_))));
    tally.assert_all_gone();
}

#[test]
fn the_last_send_finds_closed() {
    let tally = Tally::new();
    let (client, server) = pinged(&tally);
    drop(client);
    assert_eq!(server.bye(tally.make(2)).unwrap_err().into_payload().number, 2);
    tally.assert_all_gone();
}

#[test]
fn a_closing_sender_finds_empty() {
    let (client, server) = pingpong::pipe::<u64>();
    drop(client);
    assert!(server.is_closed() && !server.is_ready());
    assert!(server.recv().is_err());
}

#[test]
fn a_closing_sender_finds_waiting() {
    let (bell, waker) = Bell::new();
    let (client, mut server) = pingpong::pipe::<u64>();
    assert!(poll(&mut server, &waker).is_pending());
    drop(client);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    assert!(server.recv().is_err());
}

#[test]
fn a_closing_sender_finds_closed() {
    let (client, server) = pingpong::pipe::<u64>();
    drop(server);
    drop(client);
    let (chan, port) = pipes::stream::<u64>();
    drop(port);
    assert!(chan.is_closed());
    drop(chan);
}

#[test]
fn a_closing_receiver_finds_empty() {
    let (client, server) = pingpong::pipe();
    drop(server);
    assert!(client.ping(1).is_err());
}

#[test]
fn a_closing_receiver_finds_itself_waiting() {
    let (bell, waker) = Bell::new();
    let (client, mut server) = pingpong::pipe();
    assert!(poll(&mut server, &waker).is_pending());
    drop(server);
    assert_eq!(bell.wakers(), 1);
    assert!(client.ping(1).is_err());
    assert_eq!(bell.rings(), 0);
}

/// The message is dropped; what is found afterwards depends on which side sends next.
#[test]
fn a_closing_receiver_finds_full() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe();
    let client = client.ping(tally.make(1)).unwrap();
    drop(server);
    assert_eq!(tally.gone(), 1);
    assert!(client.recv().is_err(), "its own turn: it closes by not sending");

    let (client, server) = paid_in(&tally, 3);
    drop(server);
    assert_eq!(tally.gone(), 4);
    assert!(client.withdraw(1).is_err(), "the sender's turn: it closes behind the last message");

    let (client, server) = pinged(&tally);
    server.bye(tally.make(2)).unwrap();
    drop(client);
    tally.assert_all_gone();
}

/// Full, and the sender has taken the waiter.
#[test]
fn a_closing_receiver_that_was_woken_finds_full() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(tally.make(1)).unwrap();
    drop(port);
    assert_eq!((bell.rings(), bell.wakers(), tally.gone()), (1, 1, 1));
}

#[test]
fn a_closing_receiver_finds_closed() {
    let (bell, waker) = Bell::new();
    let (client, server) = pingpong::pipe::<u64>();
    drop(client);
    drop(server);
    let (client, mut server) = pingpong::pipe::<u64>();
    assert!(poll(&mut server, &waker).is_pending());
    drop(client);
    drop(server);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
}

#[test]
fn register_finds_empty_full_and_closed() {
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, Waker::noop()).is_pending());
    chan.send(1).unwrap();
    assert!(poll(&mut port, Waker::noop()).is_ready());

    let (chan, mut port) = pipes::oneshot();
    chan.send(1).unwrap();
    assert!(poll(&mut port, Waker::noop()).is_ready());

    let (chan, mut port) = pipes::oneshot::<u64>();
    drop(chan);
    assert!(poll(&mut port, Waker::noop()).is_ready());
}

#[test]
fn unregister_finds_waiting_full_and_closed() {
    let (bell, waker) = Bell::new();
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    let Err(pipes::RecvTimeoutError::Timeout(mut port)) = port.recv_timeout(Duration::ZERO) else {
        panic!("nothing was sent")
    };
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(1).unwrap();
    assert_eq!(port.recv_timeout(Duration::ZERO).ok(), Some(1));

    let (chan, mut port) = pipes::oneshot::<u64>();
    assert!(poll(&mut port, &waker).is_pending());
    drop(chan);
    assert!(port.recv_timeout(Duration::ZERO).is_err_and(|error| error.is_closed()));
    assert_eq!((bell.rings(), bell.wakers()), (2, 1));
}

#[test]
fn look_finds_all_four() {
    let (client, mut server) = pingpong::pipe();
    let Err(TryRecvError::Empty(back)) = server.try_recv() else { panic!("nothing was sent") };
    server = back;
    assert!(poll(&mut server, Waker::noop()).is_pending());
    let Err(TryRecvError::Empty(back)) = server.try_recv() else { panic!("nothing was sent") };
    assert!(!back.is_ready() && !back.is_closed());
    let client = client.ping(1).unwrap();
    let Ok(Ping::Ping(1, server)) = back.try_recv() else { panic!("it was sent") };
    drop(server);
    assert!(matches!(client.try_recv(), Err(TryRecvError::Closed)));
}

/// A slot of a ring is reused: each of its rows again, in the second and third round.
#[test]
fn reset_makes_a_slot_fit_for_its_next_message() {
    let (bell, waker) = Bell::new();
    let (mut client, mut server) = pingpong::pipe();
    for round in 0..7 {
        assert!(poll(&mut server, &waker).is_pending());
        let mut waiting = client.ping(round).unwrap();
        let Ok(Ping::Ping(number, answering)) = server.try_recv() else { panic!("it was sent") };
        assert_eq!(number, round);
        assert!(poll(&mut waiting, &waker).is_pending());
        server = answering.pong(round).unwrap();
        let Ok(Pong::Pong(number, next)) = waiting.try_recv() else { panic!("it was answered") };
        assert_eq!(number, round);
        client = next;
        assert_eq!(bell.rings(), 2 * round as usize + 2);
    }
    drop(client);
    assert!(server.recv().is_err());
}
