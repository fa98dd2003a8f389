//! Ends that leave, and what the other side finds. `generated::drops` has every position of a session.

use pipes_tests::bank::{self, Account, Answer};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Counted, DropCounter, WakeCounter, caught, courier, poll};
use std::thread::Builder;

/// Client and server after a ping was received.
fn pinged(drops: &DropCounter) -> (pingpong::Client<Pong<Counted>>, pingpong::Server<Pong<Counted>>) {
    let (client, server) = pingpong::pipe();
    let client = client.ping(drops.make(1)).expect("the server is there");
    let Ok(Ping::Ping(_, server)) = server.recv() else { panic!("the client has pinged") };
    (client, server)
}

/// Client and server with this many unread deposits between them.
pub fn paid_in(
    drops: &DropCounter,
    deposits: u64,
) -> (bank::Client<Account<Counted>>, bank::Server<Account<Counted>>) {
    let (mut client, server) = bank::pipe();
    for number in 0..deposits {
        client = client.deposit(drops.make(number)).expect("the bank is there");
    }
    (client, server)
}

#[test]
fn a_failed_send_gives_the_payload_back() {
    let drops = DropCounter::new();
    let (client, server) = pinged(&drops);
    drop(client);
    let error = server.pong(drops.make(12)).unwrap_err();
    assert_eq!(drops.made() - drops.dropped(), 1, "it is its sender's");
    assert_eq!(error.into_payload().number, 12);
    let (client, server) = paid_in(&drops, 3);
    drop(server);
    assert_eq!(client.withdraw(14).unwrap_err().into_payload(), 14);
    drops.assert_all_dropped();
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
fn the_last_message_comes_before_the_end() {
    let drops = DropCounter::new();
    let (client, server) = pinged(&drops);
    server.bye(drops.make(2)).unwrap();
    assert!(client.is_ready() && !client.is_closed());
    assert!(matches!(client.recv(), Ok(Pong::Bye(payload)) if payload.number == 2));
    drops.assert_all_dropped();
}

/// Where the last message between them went either way, or lies unread.
#[test]
fn each_side_learns_of_the_other_where_it_waits() {
    let drops = DropCounter::new();
    let (client, server) = pinged(&drops);
    drop(server);
    assert!(client.recv().is_err(), "after a message");

    let (client, server) = paid_in(&drops, 0);
    let client = client.withdraw(1).unwrap();
    let Ok(Account::Withdraw(1, server)) = server.recv() else { panic!("it was asked for") };
    let server = server.empty().unwrap();
    let Ok(Answer::Empty(client)) = client.recv() else { panic!("it was answered") };
    drop(client);
    assert!(server.recv().is_err(), "after both have sent");

    let (client, server) = pinged(&drops);
    let server = server.pong(drops.make(2)).unwrap();
    drop(client);
    assert!(server.recv().is_err(), "with its own message unread");

    let (client, server) = pingpong::pipe();
    let client = client.ping(drops.make(1)).unwrap();
    let Ok(Ping::Ping(payload, _)) = server.recv() else { panic!("the client has pinged") };
    drop(payload);
    assert!(client.recv().is_err(), "its endpoint was dropped with the message's variant");
    drops.assert_all_dropped();
}

/// The waiting customer is woken although a deposit's destructor panics in front of its withdrawal.
#[test]
fn a_panicking_destructor_before_a_withdrawal() {
    let drops = DropCounter::new();
    let (client, server) = paid_in(&drops, 70);
    let client = client.deposit(drops.make_panicking(70)).unwrap();
    let mut client = client.deposit(drops.make(71)).unwrap().withdraw(3).unwrap();
    let (wakes, waker) = WakeCounter::new();
    assert!(poll(&mut client, &waker).is_pending());
    assert!(caught(|| drop(server)).is_some());
    assert_eq!(wakes.count(), 1);
    assert!(client.recv().is_err());
    drops.assert_all_dropped();
}

/// Endpoints in one unread stream, each with an unread message of its own.
#[test]
fn many_endpoints_in_unread_messages() {
    let with_little_stack = Builder::new().stack_size(64 << 10).spawn(|| {
        let drops = DropCounter::new();
        let (mut outer, port) = courier::pipe();
        for number in 0..100_000 {
            let (client, server) = pingpong::pipe();
            drop(client.ping(drops.make(number)).unwrap());
            outer = outer.deliver(server).unwrap();
        }
        drop(port);
        assert_eq!(drops.dropped(), 100_000);
    });
    with_little_stack.unwrap().join().expect("64 KiB are enough");
}
