//! Members that leave with their message: ports of oneshots, and endpoints of protocols, whose successors are
//! inserted again.

use pipes::{Closed, PortSet, SetEmpty, TryRecvError, oneshot};
use pipes_tests::bank::{self, Account, Answer, AnyServer, ServerMessage};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{DropCounter, spawn, test_in, watched};

#[test_in(watched)]
fn ports_of_oneshots() {
    let drops = DropCounter::new();
    let (chans, ports): (Vec<_>, Vec<_>) = (0..10).map(|_| oneshot()).unzip();
    let mut set: PortSet<_> = ports.into_iter().collect();
    for (number, chan) in chans.into_iter().enumerate().rev() {
        if number % 4 < 3 {
            chan.send(drops.make(number as u64)).expect("the set is here");
        }
    }
    for number in (0..10).rev() {
        let expected = if number % 4 == 3 { Err(Closed) } else { Ok(number as u64) };
        let (key, message) = set.recv().expect("there is another");
        assert_eq!((key, message.map(|payload| payload.number)), (number, expected));
        assert_eq!((set.len(), set.contains_key(&key)), (number, false));
    }
    assert_eq!(set.recv().map(drop), Err(SetEmpty));
    drops.assert_all_dropped();
}

type Servers = PortSet<pingpong::Server<Ping<u64>>>;

/// A way to insert the successor of the member with this key. Returns its new key.
type Again = fn(&mut Servers, usize, pingpong::Server<Ping<u64>>) -> usize;

/// Clients in threads call again and again, and are served by a set. Successors are inserted under the same
/// key, another one, a new one, and that of another member, which gets the free one.
#[test_in(watched)]
fn successors_are_inserted_again() {
    const ROUNDS: u64 = 100;
    let ways: [Again; 4] = [
        |set, key, next| set.insert_at(key, next).map_or(key, |_| panic!("the key was free")),
        |set, key, next| set.insert_at(key + 8, next).map_or(key + 8, |_| panic!("the key was free")),
        |set, _, next| set.insert(next),
        |set, key, next| {
            let other = set.keys().next().copied().unwrap_or(key);
            let back = set.insert_at(other, next);
            assert!(back.is_none_or(|back| set.insert_at(key, back).is_none()));
            other
        },
    ];
    let call = |mut client: pingpong::Client<Ping<u64>>| {
        for round in 0..ROUNDS {
            let waiting = client.ping(round).expect("the server serves");
            let Ok(Pong::Pong(answer, next)) = waiting.recv() else { panic!("the server answers") };
            assert_eq!(answer, round * 2);
            client = next;
        }
    };
    for again in ways {
        let (clients, servers): (Vec<_>, Vec<_>) = (0..4).map(|_| pingpong::pipe()).unzip();
        let calling: Vec<_> = clients.into_iter().map(|client| spawn(move || call(client))).collect();
        let (mut set, mut served, mut closes) = (servers.into_iter().collect::<Servers>(), 0, 0);
        while let Ok((key, message)) = set.recv() {
            assert!(!set.contains_key(&key), "it has left with its message");
            let Ok(Ping::Ping(number, answering)) = message else {
                closes += 1;
                continue;
            };
            served += 1;
            let next = answering.pong(number * 2).expect("the client waits");
            let count = set.len();
            let new = again(&mut set, key, next);
            assert!(set.contains_key(&new) && set.len() == count + 1);
        }
        assert_eq!((served, closes), (4 * ROUNDS, 4));
        calling.into_iter().for_each(|calling| calling.join().expect("no client panics"));
    }
}

/// A successor that already has an unread message takes its turn behind the others, under its old key and
/// under another one.
#[test_in(watched)]
fn successors_that_are_ready() {
    for another_key in [false, true] {
        let mut set = PortSet::new();
        for customer in 0..4 {
            let (mut client, server) = bank::pipe();
            for number in 0..100 {
                client = client.deposit(number).expect("the bank is here");
            }
            client.leave().expect("the bank is here");
            assert!(set.insert_at(customer, server).is_none());
        }
        for (number, customer) in (0..101 * 4).map(|turn| (turn / 4, turn as usize % 4)) {
            match set.recv() {
                Ok((key, Ok(Account::Deposit(deposit, next)))) => {
                    assert_eq!((key % 4, deposit), (customer, number));
                    let key = if another_key { key + 4 } else { key };
                    assert!(set.insert_at(key, next).is_none());
                }
                Ok((key, Ok(Account::Leave))) => assert_eq!((key % 4, number), (customer, 100)),
                turn => panic!("nobody sent {turn:?}"),
            }
        }
        assert!(set.is_empty());
    }
}

/// An endpoint in a sending state is given back at once, in its turn, or when it is removed.
#[test]
fn endpoints_that_do_not_receive() {
    let mut set = PortSet::new();
    let ((one, first), (two, second)) = (bank::pipe(), bank::pipe());
    let _two = two.deposit(2).expect("it is here");
    let at_second = set.insert(AnyServer::from(second));
    let asked = one.withdraw(1).expect("it is here");
    let Ok(Account::Withdraw(1, answering)) = first.recv() else { panic!("it was sent") };
    let at_first = set.insert(AnyServer::from(answering));
    let Ok((key, Ok(ServerMessage::Account(Account::Deposit(2, _))))) = set.recv() else {
        panic!("it was sent")
    };
    assert!(key == at_second && set.is_ready(), "the other one is given back at once");
    let removed = set.remove(&at_first).expect("it is a member");
    assert!(matches!(set.try_recv(), Err(TryRecvError::Closed)));
    assert!(set.insert_at(at_first, removed).is_none() && set.is_ready());
    let Ok((key, Ok(ServerMessage::NotReceiving(AnyServer::Answer(answering))))) = set.recv() else {
        panic!("it cannot receive")
    };
    assert_eq!((key, set.len()), (at_first, 0));
    drop(answering.empty().expect("the customer waits"));
    assert!(matches!(asked.recv(), Ok(Answer::Empty(_))));
}
