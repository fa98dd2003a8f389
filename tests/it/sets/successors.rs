//! Endpoints of protocols, whose successors are inserted again.

use pipes::{Closed, PortSet, SetEmpty};
use pipes_tests::bank::{self, Account, Answer, AnyServer, ServerMessage};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Tally, watched};
use std::thread::{self, JoinHandle};

/// `count` clients, each in a thread that calls `rounds` times and returns the sum of the answers; and their
/// servers.
fn calling(count: u64, rounds: u64) -> (Vec<JoinHandle<u64>>, Vec<pingpong::Server<Ping<u64>>>) {
    let call = |_| {
        let (mut client, server) = pingpong::pipe();
        let calling = thread::spawn(move || {
            let mut sum = 0;
            for round in 0..rounds {
                let waiting = client.ping(round).expect("the server serves");
                let Ok(Pong::Pong(answer, next)) = waiting.recv() else { panic!("the server answers") };
                (client, sum) = (next, sum + answer);
            }
            sum
        });
        (calling, server)
    };
    (0..count).map(call).unzip()
}

/// Serves all clients; `again` inserts a successor. Returns how many calls there were, and how many closes.
fn serve(
    servers: Vec<pingpong::Server<Ping<u64>>>,
    again: impl Fn(&mut PortSet<pingpong::Server<Ping<u64>>>, usize, pingpong::Server<Ping<u64>>),
) -> (u64, usize) {
    let mut set: PortSet<_> = servers.into_iter().collect();
    let (mut calls, mut closes) = (0, 0);
    loop {
        match set.recv() {
            Ok((key, Ok(Ping::Ping(number, answering)))) => {
                assert!(!set.contains_key(&key), "it has left with its message");
                calls += 1;
                let next = answering.pong(number * 2).expect("the client waits");
                again(&mut set, key, next);
            }
            Ok((_, Err(Closed))) => closes += 1,
            Err(SetEmpty) => return (calls, closes),
        }
    }
}

fn all_are_served(
    again: impl Fn(&mut PortSet<pingpong::Server<Ping<u64>>>, usize, pingpong::Server<Ping<u64>>),
) {
    let (clients, servers) = calling(8, 200);
    assert_eq!(serve(servers, again), (1_600, 8));
    for client in clients {
        assert_eq!(client.join().expect("no client panics"), 199 * 200);
    }
}

#[test]
fn under_the_same_key() {
    watched(|| {
        all_are_served(|set, key, next| {
            let count = set.len();
            assert!(set.insert_at(key, next).is_none());
            assert_eq!(set.len(), count + 1);
        });
    });
}

#[test]
fn under_another_key() {
    watched(|| all_are_served(|set, key, next| assert!(set.insert_at(key + 8, next).is_none())));
}

#[test]
fn under_a_fresh_key() {
    watched(|| {
        all_are_served(|set, key, next| {
            let fresh = set.insert(next);
            assert!(fresh > key);
        });
    });
}

/// Under the key of another member, which is returned and inserted under the free key.
#[test]
fn under_the_key_of_another_one() {
    watched(|| {
        all_are_served(|set, key, next| {
            let Some(other) = set.keys().next().copied() else {
                assert!(set.insert_at(key, next).is_none());
                return;
            };
            let back = set.insert_at(other, next).expect("it is a member");
            assert!(set.insert_at(key, back).is_none());
        });
    });
}

/// A successor that already has an unread message is served, and no other member waits longer for it.
#[test]
fn successors_that_are_ready() {
    watched(|| {
        for another_key in [false, true] {
            let tally = Tally::new();
            let mut set = PortSet::new();
            for customer in 0..4 {
                let (mut client, server) = bank::pipe();
                for number in 0..100 {
                    client = client.deposit(tally.make(number)).expect("the bank is here");
                }
                client.leave().expect("the bank is here");
                assert!(set.insert_at(customer, server).is_none());
            }
            for number in 0..=100 {
                for customer in 0..4 {
                    match set.recv() {
                        Ok((key, Ok(Account::Deposit(payload, next)))) => {
                            assert_eq!((key % 4, payload.number), (customer, number));
                            let key = if another_key { key + 4 } else { key };
                            assert!(set.insert_at(key, next).is_none());
                        }
                        Ok((key, Ok(Account::Leave))) => assert_eq!((key % 4, number), (customer, 100)),
                        turn => panic!("nobody sent {turn:?}"),
                    }
                }
            }
            assert!(set.is_empty());
            tally.assert_all_gone();
        }
    });
}

/// If the successor is not inserted again, the key is free, and another member may get it.
#[test]
fn a_key_is_free_after_its_message() {
    watched(|| {
        let mut set = PortSet::new();
        for round in 0..10 {
            let (client, server) = pingpong::pipe();
            assert!(set.insert_at("key", server).is_none());
            let waiting = client.ping(round).expect("it is here");
            let Ok(("key", Ok(Ping::Ping(number, answering)))) = set.recv() else { panic!("it was sent") };
            assert_eq!((number, set.len(), set.keys().count()), (round, 0, 0));
            if round % 2 == 0 {
                assert!(set.remove(&"key").is_none());
            }
            answering.bye(number).expect("the client waits");
            assert!(matches!(waiting.recv(), Ok(Pong::Bye(answer)) if answer == round));
        }
    });
}

/// The successor of a served endpoint, and the member that now has its key, in one set at the same time.
#[test]
fn a_stranger_under_the_key_of_one_that_was_served() {
    watched(|| {
        let mut set = PortSet::new();
        let ((one, first), (two, second)) = (pingpong::pipe(), pingpong::pipe());
        assert!(set.insert_at(5, first).is_none());
        let _one = one.ping(1).expect("it is here");
        let Ok((5, Ok(Ping::Ping(1, answering)))) = set.recv() else { panic!("it was sent") };
        assert!(set.insert_at(5, second).is_none());
        let successor = answering.pong(1).expect("the client waits");
        let second = set.insert_at(5, successor).expect("the stranger has the key");
        assert_eq!(set.len(), 1);
        let _two = two.ping(2).expect("it is here");
        assert!(second.is_ready() && !set.is_ready());
        assert!(matches!(second.recv(), Ok(Ping::Ping(2, _))));
    });
}

/// A session with different states, in a set of `Any` endpoints.
#[test]
fn a_bank_of_any_servers() {
    watched(|| {
        let customers: Vec<_> = (0..6_u64).map(|_| bank::pipe::<u64>()).collect();
        let mut set = PortSet::new();
        let mut threads = Vec::new();
        for (number, (mut client, server)) in customers.into_iter().enumerate() {
            assert!(set.insert_at(number, (0, AnyServer::from(server)).1).is_none());
            threads.push(thread::spawn(move || {
                let mut got = 0;
                for round in 1..=50 {
                    client = client.deposit(round).expect("the bank is there");
                    let asked = client.withdraw(round).expect("the bank is there");
                    client = match asked.recv() {
                        Ok(Answer::Money(money, next)) => {
                            got += money;
                            next
                        }
                        Ok(Answer::Empty(next)) => next,
                        Err(_) => panic!("the bank answers"),
                    };
                }
                client.leave().expect("the bank is there");
                got
            }));
        }
        let (mut accounts, mut left) = ([0; 6], 0);
        while let Ok((key, message)) = set.recv() {
            let next: AnyServer<u64> = match message.expect("nobody goes without a word") {
                ServerMessage::Account(Account::Deposit(money, next)) => {
                    accounts[key] += money;
                    next.into()
                }
                // The endpoint in its sending state is inserted unchanged, and comes back at once.
                ServerMessage::Account(Account::Withdraw(_, answering)) => answering.into(),
                ServerMessage::Account(Account::Leave) => {
                    left += 1;
                    continue;
                }
                ServerMessage::NotReceiving(AnyServer::Answer(answering)) => {
                    let money = std::mem::take(&mut accounts[key]);
                    answering.money(money).expect("the customer waits").into()
                }
                ServerMessage::NotReceiving(AnyServer::Account(_)) => panic!("it receives"),
            };
            assert!(set.insert_at(key, next).is_none());
        }
        assert_eq!((left, accounts), (6, [0; 6]));
        for customer in threads {
            assert_eq!(customer.join().expect("no customer panics"), (1..=50).sum::<u64>());
        }
    });
}
