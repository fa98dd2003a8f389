//! One end of a session or of a oneshot against the other, with counted destructors.

mod kinds;

use crate::race::{alone, counted_race, race};
use pipes::{Closing, Readiness};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{DropCounter, Rng, WakeCounter, bank, begun, courier, effort, poll, spin_while, test_in};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// A receiver that was polled is dropped while the message is being sent: the race that has broken oneshots
/// elsewhere.
#[test_in(alone)]
fn polled_and_dropped_against_send() {
    let drops = DropCounter::new();
    let make = |number| {
        let (chan, port) = pipes::oneshot();
        let receiving = begun(port.recv_async(), Waker::noop());
        (receiving, (chan, drops.make(number as u64)))
    };
    race(100_000, make, drop, |(chan, payload)| drop(chan.send(payload)));
    assert_eq!(drops.made(), effort(100_000));
    drops.assert_all_dropped();
}

#[test_in(alone)]
fn dropped_against_send() {
    let make = |number: usize, drops: &DropCounter| {
        let (client, server) = pingpong::pipe();
        (server, (client, drops.make(number as u64)))
    };
    counted_race(40_000, make, drop, |(client, payload)| match client.ping(payload) {
        Ok(client) => assert!(client.recv().is_err()),
        Err(error) => drop(error.into_payload()),
    });
}

/// Spurious polls, with one waker and another, while the message comes; it is received as soon as it is seen.
#[test_in(alone)]
fn spurious_polls_against_send_and_answer() {
    let make = |number: usize, drops: &DropCounter| {
        let (client, server) = pingpong::pipe();
        (server, (client, drops.make(number as u64), drops.clone()))
    };
    let serve = |mut server: pingpong::Server<Ping<_>>| {
        let ((_one, first), (_two, second)) = (WakeCounter::new(), WakeCounter::new());
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
    counted_race(10_000, make, serve, call);
}

/// The last message of a session against a client that looks for it, finds it or not, and leaves.
#[test_in(alone)]
fn the_last_message_against_poll_and_drop() {
    let make = |number: usize, drops: &DropCounter| {
        let (client, server) = pingpong::pipe();
        let client = client.ping(drops.make(number as u64)).expect("the server is there");
        let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
        (client, (server, payload))
    };
    let leave = |mut client: pingpong::Client<Pong<_>>| match poll(&mut client, Waker::noop()) {
        Poll::Ready(()) => assert!(matches!(client.recv(), Ok(Pong::Bye(_)))),
        Poll::Pending => drop(client.try_recv()),
    };
    counted_race(40_000, make, leave, |(server, payload)| drop(server.bye(payload)));
}

#[test_in(alone)]
fn a_look_against_close() {
    let look = |mut port: pipes::PortOne<u64>| {
        let waited = poll(&mut port, Waker::noop()).is_pending();
        let closed = port.is_closed();
        assert!(!port.is_ready());
        assert!(closed || waited, "ready without a message means closed");
        assert!(port.try_recv().is_err_and(|error| error.is_closed() || !closed));
    };
    race(40_000, |_| pipes::oneshot::<u64>(), drop, look);
}

/// A delivered endpoint in an unread message closes while its peer sends to it.
#[test_in(alone)]
fn an_unread_delivery_against_a_send_to_it() {
    let make = |number: usize, drops: &DropCounter| {
        let (inner, delivered) = pingpong::pipe();
        let (client, server) = courier::pipe();
        client.last(delivered).expect("the server is there");
        (server, (inner, drops.make(number as u64)))
    };
    let call = |(inner, payload): (pingpong::Client<Ping<_>>, _)| {
        if let Ok(inner) = inner.ping(payload) {
            assert!(inner.recv().is_err());
        }
    };
    counted_race(30_000, make, drop, call);
}

/// Polls a watch once.
fn is_closed(end: &mut impl Closing, waker: &Waker) -> bool {
    end.poll_closed(&mut Context::from_waker(waker)).is_ready()
}

/// After a spurious wake-up, the sender may see the close before the receiver has dropped its waker: this
/// decides which side frees.
#[test_in(alone)]
fn watched_and_dropped_against_drop() {
    let (wakes, waker) = WakeCounter::new();
    let make = |_| {
        let (mut chan, port) = pipes::oneshot::<u64>();
        assert!(!is_closed(&mut chan, &waker));
        (chan, port)
    };
    let left = |mut chan| {
        is_closed(&mut chan, &waker);
        drop(chan);
    };
    race(40_000, make, left, drop);
    assert!(wakes.count() <= effort(40_000));
    assert_eq!(wakes.wakers(), 1, "every watch was given up or answered");
}

#[test_in(alone)]
fn sent_after_a_watch_against_drop() {
    let make = |number: usize, drops: &DropCounter| {
        let (mut client, server) = bank::pipe();
        for unread in 0..number as u64 % 5 {
            client = client.deposit(drops.make(unread)).unwrap();
        }
        assert!(!is_closed(&mut client, Waker::noop()));
        ((client, drops.make(number as u64)), server)
    };
    let left = |(mut client, payload): (bank::Client<_>, _)| {
        is_closed(&mut client, Waker::noop());
        match client.deposit(payload) {
            Ok(mut client) => client.wait_closed(),
            Err(error) => drop(error.into_payload()),
        }
    };
    counted_race(10_000, make, left, drop);
}

/// Both sides mark the word and unmark it, and then a message is sent through the slot.
#[test_in(alone)]
fn watched_and_sent_against_waited_and_received() {
    let make = |number: usize, drops: &DropCounter| {
        let (client, server) = pingpong::pipe();
        ((client, drops.make(number as u64), Rng::with_seed(number as u64)), server)
    };
    let left = |(mut client, payload, mut random): (pingpong::Client<_>, _, Rng)| {
        for _ in 0..random.u64(..3) {
            assert!(!is_closed(&mut client, &WakeCounter::new().1));
            assert!(random.bool() || !client.wait_closed_timeout(Duration::ZERO));
        }
        assert!(client.ping(payload).expect("the server is there").recv().is_err());
    };
    let right = |mut server: pingpong::Server<_>| {
        let (_wakes, waker) = WakeCounter::new();
        let _ = poll(&mut server, &waker);
        let _ = server.wait(Some(Instant::now()));
        let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings") };
        drop((payload, server));
    };
    counted_race(20_000, make, left, right);
}
