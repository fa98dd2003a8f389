//! One end against the other, with counted destructors.

use crate::race::{alone, race};
use pipes::{Readiness, RecvTimeoutError};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, Random, Tally, bank, courier, effort, poll, poll_future, spin_while};
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::time::Duration;

/// A receiver that was polled is dropped while the message is being sent: the race that has broken oneshots
/// elsewhere.
#[test]
fn polled_and_dropped_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number| {
            let (chan, port) = pipes::oneshot();
            let mut receiving = port.recv_async();
            assert!(poll_future(&mut receiving, Waker::noop()).is_pending());
            (receiving, (chan, tally.make(number as u64)))
        };
        race(1_000_000, make, drop, |(chan, payload)| drop(chan.send(payload)));
        assert_eq!(tally.made(), effort(1_000_000));
        tally.assert_all_gone();
    });
}

#[test]
fn dropped_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number| {
            let (client, server) = pingpong::pipe();
            (server, (client, tally.make(number as u64)))
        };
        race(200_000, make, drop, |(client, payload)| match client.ping(payload) {
            Ok(client) => assert!(client.recv().is_err()),
            Err(error) => drop(error.into_payload()),
        });
        tally.assert_all_gone();
    });
}

/// The sender stands near the end of a block, where it links the next one.
#[test]
fn a_stream_dropped_against_sends_across_blocks() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut chan, mut port) = pipes::stream();
            for number in 0..number as u64 % 70 {
                assert!(chan.send(tally.make(number)).is_ok());
            }
            if number.is_multiple_of(3) {
                port.iter().take(number % 70).for_each(drop);
            }
            (port, (chan, [tally.make(1), tally.make(2), tally.make(3)]))
        };
        race(30_000, make, drop, |(mut chan, payloads)| {
            for payload in payloads {
                drop(chan.send(payload));
            }
        });
        tally.assert_all_gone();
    });
}

#[test]
fn close_against_close() {
    alone(|| {
        let tally = Tally::new();
        race(50_000, |_| pipes::oneshot::<u64>(), drop, drop);
        let polled = |_| {
            let (chan, mut port) = pipes::oneshot::<u64>();
            assert!(poll(&mut port, Waker::noop()).is_pending());
            (chan, port)
        };
        race(100_000, polled, drop, drop);
        let unread = |number: usize| {
            let (mut client, server) = bank::pipe();
            for number in 0..number as u64 % 5 {
                client = client.deposit(tally.make(number)).expect("the bank is there");
            }
            (client, server)
        };
        race(50_000, unread, drop, drop);
        tally.assert_all_gone();
    });
}

#[test]
fn a_receive_that_times_out_against_send() {
    alone(|| {
        let tally = Tally::new();
        let random = Mutex::new(Random::new(3));
        let make = |number| {
            let (chan, port) = pipes::oneshot();
            (port, (chan, tally.make(number as u64)))
        };
        let receive = |port: pipes::PortOne<_>| {
            let wait = Duration::from_nanos(random.lock().expect("it is never poisoned").below(3000));
            match port.recv_timeout(wait) {
                Ok(payload) => drop(payload),
                Err(RecvTimeoutError::Timeout(port)) => drop(port.recv().expect("it is sent in the end")),
                Err(RecvTimeoutError::Closed) => panic!("the chan sends before it leaves"),
            }
        };
        race(50_000, make, receive, |(chan, payload)| chan.send(payload).expect("the port waits"));
        tally.assert_all_gone();
    });
}

#[test]
fn a_receive_that_times_out_and_leaves_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, port) = pipes::oneshot();
            (port, (chan, tally.make(number as u64)))
        };
        let receive = |port: pipes::PortOne<_>| drop(port.recv_timeout(Duration::from_nanos(1)));
        race(50_000, make, receive, |(chan, payload)| drop(chan.send(payload)));
        tally.assert_all_gone();
    });
}

#[test]
fn a_blocked_receive_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number| {
            let (chan, port) = pipes::oneshot();
            (port, (chan, tally.make(number as u64)))
        };
        let receive = |port: pipes::PortOne<_>| drop(port.recv().expect("it is sent"));
        race(50_000, make, receive, |(chan, payload)| chan.send(payload).expect("the port waits"));
        tally.assert_all_gone();
    });
}

/// Spurious polls, with one waker and another, while the message comes; it is received as soon as it is seen.
#[test]
fn spurious_polls_against_send_and_answer() {
    alone(|| {
        let tally = Tally::new();
        let make = |number| {
            let (client, server) = pingpong::pipe();
            (server, (client, tally.make(number as u64), tally.clone()))
        };
        let serve = |mut server: pingpong::Server<Ping<_>>| {
            let ((_one, first), (_two, second)) = (Bell::new(), Bell::new());
            spin_while(|| poll(&mut server, &first).is_pending() && poll(&mut server, &second).is_pending());
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
            let mut server = server.pong(payload).expect("the client waits");
            spin_while(|| poll(&mut server, &first).is_pending() && poll(&mut server, &first).is_pending());
            assert!(server.recv().is_err());
        };
        let call = |(client, payload, _): (pingpong::Client<_>, _, _)| {
            let client = client.ping(payload).expect("the server waits");
            assert!(matches!(client.recv(), Ok(Pong::Pong(..))));
        };
        race(50_000, make, serve, call);
        tally.assert_all_gone();
    });
}

/// The last message of a session against a client that looks for it, finds it or not, and leaves.
#[test]
fn the_last_message_against_poll_and_drop() {
    alone(|| {
        let tally = Tally::new();
        let make = |number| {
            let (client, server) = pingpong::pipe();
            let client = client.ping(tally.make(number as u64)).expect("the server is there");
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
            (client, (server, payload))
        };
        let leave = |mut client: pingpong::Client<Pong<_>>| match poll(&mut client, Waker::noop()) {
            Poll::Ready(()) => assert!(matches!(client.recv(), Ok(Pong::Bye(_)))),
            Poll::Pending => drop(client.try_recv()),
        };
        race(200_000, make, leave, |(server, payload)| drop(server.bye(payload)));
        tally.assert_all_gone();
    });
}

#[test]
fn a_look_against_close() {
    alone(|| {
        let look = |mut port: pipes::PortOne<u64>| {
            let waited = poll(&mut port, Waker::noop()).is_pending();
            let closed = port.is_closed();
            assert!(!port.is_ready());
            assert!(closed || waited, "ready without a message means closed");
            assert!(port.try_recv().is_err_and(|error| error.is_closed() || !closed));
        };
        race(100_000, |_| pipes::oneshot::<u64>(), drop, look);
    });
}

/// A delivered endpoint in an unread message closes while its peer sends to it.
#[test]
fn an_unread_delivery_against_a_send_to_it() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (inner, delivered) = pingpong::pipe();
            let (client, server) = courier::pipe();
            client.last(delivered).expect("the server is there");
            (server, (inner, tally.make(number as u64)))
        };
        let call = |(inner, payload): (pingpong::Client<Ping<_>>, _)| {
            if let Ok(inner) = inner.ping(payload) {
                assert!(inner.recv().is_err());
            }
        };
        race(100_000, make, drop, call);
        tally.assert_all_gone();
    });
}

/// Waits with a deadline that never passes, and without one, against the close.
#[test]
fn waiting_against_close() {
    alone(|| {
        let wait = |mut port: pipes::Port<u64>| {
            assert!(port.wait(None));
            assert_eq!(port.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
        };
        race(50_000, |_| pipes::stream(), drop, wait);
    });
}
