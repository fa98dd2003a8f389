//! `select` and `select2`.

use crate::acceptance::Sleeper;
use pipes::{Either, PortOne, PortSet, RecvError, oneshot, select, select2, stream};
use pipes_tests::bank::{self, Account};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Tally, watched};

/// Choosing from the middle, the front and the back: the others come back in their order.
#[test]
fn the_rest_is_in_order() {
    watched(|| {
        for count in 1..8 {
            for ready in 0..count {
                let (mut chans, ports): (Vec<_>, Vec<PortOne<usize>>) = (0..count).map(|_| oneshot()).unzip();
                chans.remove(ready).send(100).expect("the port is here");
                let (index, message, rest) = select(ports);
                assert_eq!((index, message), (ready, Ok(100)));
                for (number, chan) in chans.into_iter().enumerate() {
                    chan.send(number).expect("its port came back");
                }
                let rest = rest.into_iter().map(PortOne::recv);
                assert_eq!(rest.collect::<Vec<_>>(), (0..count - 1).map(Ok).collect::<Vec<_>>());
            }
        }
    });
}

/// A vector that shrinks until it is empty, and the result for an empty one.
#[test]
fn until_nobody_is_left() {
    watched(|| {
        let (chans, mut ports): (Vec<_>, Vec<_>) = (0..10).map(|_| oneshot()).unzip();
        for (number, chan) in chans.into_iter().enumerate() {
            if number % 3 == 0 {
                drop(chan);
            } else {
                chan.send(number).expect("the port is here");
            }
        }
        let (mut sum, mut closed) = (0, 0);
        while !ports.is_empty() {
            let message;
            (_, message, ports) = select(ports);
            match message {
                Ok(number) => sum += number,
                Err(RecvError) => closed += 1,
            }
        }
        assert_eq!((sum, closed), (1 + 2 + 4 + 5 + 7 + 8, 4));
        let (index, message, rest) = select(ports);
        assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
    });
}

/// The chosen endpoint's successor is in its message; the caller puts it back.
#[test]
fn endpoints_of_a_protocol() {
    watched(|| {
        let tally = Tally::new();
        let (clients, mut servers): (Vec<_>, Vec<_>) = (0..4).map(|_| bank::pipe()).unzip();
        for (number, client) in clients.into_iter().enumerate() {
            let mut client = client;
            for _ in 0..number {
                client = client.deposit(tally.make(number as u64)).expect("it is here");
            }
            client.leave().expect("it is here");
        }
        let mut sum = 0;
        while !servers.is_empty() {
            let (_, message, rest) = select(servers);
            servers = rest;
            match message {
                Ok(Account::Deposit(payload, next)) => {
                    sum += payload.number;
                    servers.push(next);
                }
                Ok(Account::Leave) => {}
                other => panic!("nobody sent {other:?}"),
            }
        }
        assert_eq!(sum, 1 + 4 + 9);
        tally.assert_all_gone();
    });
}

#[test]
fn a_sleeping_select_is_woken() {
    watched(|| {
        let ((mut numbers, number_port), (words, word_port)) = (stream(), oneshot::<String>());
        let waiting = Sleeper::spawn(move || {
            let mut number_port = number_port;
            let (number, word_port) = select2(&mut number_port, word_port).left().expect("a number was sent");
            let word = select2(&mut number_port, word_port).right().expect("a word was sent").1;
            (number, word)
        });
        waiting.fall_asleep();
        numbers.send(1).expect("it waits");
        waiting.fall_asleep();
        words.send("one".to_owned()).expect("it waits");
        assert_eq!(waiting.join().expect("it does not panic"), (Ok(1), Ok("one".to_owned())));
    });
}

/// Receivers of two types, one of them a set.
#[test]
fn two_of_different_kinds() {
    watched(|| {
        let mut set = PortSet::new();
        let (client, server) = pingpong::pipe();
        let key = set.insert(server);
        let (chan, port) = oneshot();
        let _client = client.ping("ping").expect("it is here");
        let (turn, port) = select2(&mut set, port).left().expect("it was sent");
        let Ok((served, Ok(Ping::Ping("ping", _answering)))) = turn else { panic!("it was sent") };
        assert_eq!(served, key);
        chan.send(5).expect("it came back");
        // An empty set is always ready; so is the port now.
        match select2(&mut set, port) {
            Either::Right((_, number)) => assert_eq!(number, Ok(5)),
            Either::Left((turn, _)) => assert!(turn.is_err() && set.is_empty()),
        }
    });
}

/// Dropping the rest closes it, and destroys its unread messages.
#[test]
fn whoever_drops_the_rest_closes_it() {
    watched(|| {
        let tally = Tally::new();
        let (chans, ports): (Vec<_>, Vec<_>) = (0..5).map(|_| oneshot()).unzip();
        let mut chans = chans.into_iter();
        for chan in chans.by_ref().take(4) {
            assert!(chan.send(tally.make(1)).is_ok());
        }
        let (index, message, rest) = select(ports);
        assert!(index < 4 && message.is_ok_and(|payload| payload.number == 1));
        assert_eq!(tally.gone(), 1);
        drop(rest);
        tally.assert_all_gone();
        let last = chans.next().expect("there are five");
        assert!(last.send(tally.make(2)).is_err());
        tally.assert_all_gone();
    });
}
