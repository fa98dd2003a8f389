//! Sets whose members are inserted, removed and closed while they are sent to, with counted destructors.

use crate::race::{alone, race};
use pipes::{Chan, Closed, Port, PortSet, SetEmpty, stream, sync_stream};
use pipes_tests::bank::{self, Account};
use pipes_tests::{Bell, Counted, Random, Tally, poll};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::task::Waker;
use std::thread;
use std::time::Duration;

/// A set of `count` streams that is registered with all of them.
fn waiting(count: usize, waker: &Waker) -> (Vec<Chan<Counted>>, PortSet<Port<Counted>>) {
    let mut set = PortSet::new();
    let chans = (0..count).map(|_| set.chan()).collect();
    assert!(poll(&mut set, waker).is_pending());
    (chans, set)
}

#[test]
fn a_receive_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (mut chans, set) = waiting(3, Waker::noop());
            let chan = chans.remove(number % 3);
            ((set, chans, number), (chan, tally.make(number as u64)))
        };
        let receive = |(mut set, _chans, number): (PortSet<_>, Vec<_>, usize)| {
            let (key, message): (_, Result<Counted, _>) = set.recv().expect("it has members");
            assert_eq!((key, message.map(|payload| payload.number)), (number % 3, Ok(number as u64)));
            if set.len() == 3 {
                assert_eq!(set.recv().map(|(key, message)| (key, message.map(drop))), Ok((key, Err(Closed))));
            }
        };
        race(50_000, make, receive, |(mut chan, payload)| assert!(chan.send(payload).is_ok()));
        tally.assert_all_gone();
    });
}

/// Each message stays with the member, inside of the set or outside.
#[test]
fn a_removal_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chans, set) = waiting(2, Waker::noop());
            ((set, number), (chans, [tally.make(1), tally.make(2)]))
        };
        let remove = |(mut set, number): (PortSet<Port<Counted>>, usize)| {
            let mut port = set.remove(&0).expect("it is a member");
            if number.is_multiple_of(2) {
                assert_eq!(port.recv().map(|payload| payload.number), Ok(1));
            } else {
                assert!(set.insert_at(7, port).is_none());
            }
            let mut numbers: Vec<_> = set.messages().map(|payload| payload.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, if number.is_multiple_of(2) { vec![2] } else { vec![1, 2] });
        };
        race(50_000, make, remove, |(chans, payloads)| {
            for (mut chan, payload) in chans.into_iter().zip(payloads) {
                assert!(chan.send(payload).is_ok());
            }
        });
        tally.assert_all_gone();
    });
}

#[test]
fn an_insertion_against_send() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (chan, port) = stream();
            (port, (chan, [tally.make(number as u64), tally.make(number as u64 + 1)]))
        };
        let insert = |port| {
            let mut set = PortSet::new();
            set.insert(port);
            let mut numbers = set.messages().map(|payload: Counted| payload.number);
            let first = numbers.next().expect("it is sent");
            assert_eq!((numbers.next(), numbers.next()), (Some(first + 1), None));
        };
        race(50_000, make, insert, |(mut chan, payloads)| {
            for payload in payloads {
                assert!(chan.send(payload).is_ok());
            }
        });
        tally.assert_all_gone();
    });
}

/// The set is dropped, with a waker or without one, while its members are sent to and close.
#[test]
fn a_dropped_set_against_sends() {
    alone(|| {
        let tally = Tally::new();
        let make = |number: usize| {
            let (bell, waker) = Bell::new();
            let (chans, mut set) = waiting(3, &waker);
            if number.is_multiple_of(3) {
                assert!(set.recv_timeout(Duration::ZERO).is_err());
            }
            ((set, bell), (chans, [tally.make(1), tally.make(2), tally.make(3)]))
        };
        race(100_000, make, drop, |(chans, payloads)| {
            for (mut chan, payload) in chans.into_iter().zip(payloads) {
                drop(chan.send(payload));
            }
        });
        tally.assert_all_gone();
    });
}

/// Spurious polls, with one waker and another, until all messages have come.
#[test]
fn spurious_polls_against_sends() {
    alone(|| {
        let tally = Tally::new();
        let make = |_| {
            let (chans, set) = waiting(4, Waker::noop());
            (set, (chans, [(); 4].map(|()| tally.make(1))))
        };
        let receive = |mut set: PortSet<Port<Counted>>| {
            let ((_one, first), (_two, second)) = (Bell::new(), Bell::new());
            let (mut messages, mut closes) = (0, 0);
            while !set.is_empty() {
                while poll(&mut set, &first).is_pending() && poll(&mut set, &second).is_pending() {}
                match set.try_recv() {
                    Ok((_, Ok(_))) => messages += 1,
                    Ok((_, Err(Closed))) => closes += 1,
                    Err(error) => panic!("it was said to be ready: {error}"),
                }
            }
            assert_eq!((messages, closes), (4, 4));
        };
        race(20_000, make, receive, |(chans, payloads)| {
            for (mut chan, payload) in chans.into_iter().zip(payloads) {
                assert!(chan.send(payload).is_ok());
            }
        });
        tally.assert_all_gone();
    });
}

#[test]
fn waits_that_time_out_against_sends() {
    alone(|| {
        let tally = Tally::new();
        let random = Mutex::new(Random::new(3));
        let make = |_| {
            let (chans, set) = waiting(2, Waker::noop());
            (set, (chans, [tally.make(0), tally.make(1)]))
        };
        let receive = |mut set: PortSet<Port<Counted>>| {
            let mut seen = Vec::new();
            while !set.is_empty() {
                let wait = Duration::from_nanos(random.lock().expect("it is never poisoned").below(3_000));
                if let Ok((key, message)) = set.recv_timeout(wait) {
                    seen.push((key, message.map(|payload| payload.number).ok()));
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, [(0, None), (0, Some(0)), (1, None), (1, Some(1))]);
        };
        race(20_000, make, receive, |(chans, payloads)| {
            for (mut chan, payload) in chans.into_iter().zip(payloads) {
                assert!(chan.send(payload).is_ok());
            }
        });
        tally.assert_all_gone();
    });
}

/// Sends to the chans that it is given, and drops some of them.
fn send(given: Port<(usize, Chan<Counted>)>, tally: &Tally, mut random: Random) {
    let mut chans = Vec::new();
    let mut given = Some(given);
    while given.is_some() || !chans.is_empty() {
        if let Some(port) = &mut given {
            match port.try_recv() {
                Ok((key, chan)) => chans.push((key as u64 * 1_000_000, chan)),
                Err(error) if error.is_closed() => given = None,
                Err(_) => {}
            }
        }
        if chans.is_empty() {
            thread::yield_now();
            continue;
        }
        let index = random.below(chans.len() as u64) as usize;
        let (number, chan) = &mut chans[index];
        let sent = chan.send(tally.make(*number)).is_ok();
        *number += 1;
        if !sent || random.below(60) == 0 {
            drop(chans.swap_remove(index));
        }
    }
}

/// All at the same time: members are inserted, removed, inserted again, dropped and closed.
#[test]
fn members_come_go_and_close_while_senders_run() {
    alone(|| {
        for seed in 0..if cfg!(miri) { 1 } else { 30 } {
            let (tally, mut random) = (Tally::new(), Random::new(seed));
            let (mut gives, senders): (Vec<_>, Vec<_>) = (0..3)
                .map(|sender| {
                    let ((give, given), tally) = (stream(), tally.clone());
                    let random = Random::new(seed * 10 + sender + 1);
                    (give, thread::spawn(move || send(given, &tally, random)))
                })
                .unzip();
            let (mut set, mut outside) = (PortSet::new(), Vec::new());
            // What is expected next of each stream, by the key that it began with.
            let mut next: BTreeMap<u64, u64> = BTreeMap::new();
            let mut check = |payload: Counted| {
                let (stream, number) = (payload.number / 1_000_000, payload.number % 1_000_000);
                let expected = next.entry(stream).or_default();
                assert_eq!(number, *expected, "stream {stream}");
                *expected += 1;
            };
            for key in 0..if cfg!(miri) { 8 } else { 150 } {
                let (chan, port) = stream();
                gives[key % 3].send((key, chan)).expect("the sender is there");
                assert!(set.insert_at(key, port).is_none());
                for _ in 0..random.below(40) {
                    match random.below(12) {
                        0 => {
                            let key = random.below(key as u64 + 1) as usize;
                            outside.extend(set.remove(&key));
                        }
                        1 => {
                            let key = 10_000 + random.below(20) as usize;
                            if let Some(port) = outside.pop() {
                                outside.extend(set.insert_at(key, port));
                            }
                        }
                        2 if random.below(4) == 0 => drop(outside.pop()),
                        3 => drop(outside.last_mut().and_then(|port| port.try_recv().ok()).map(&mut check)),
                        4 => {
                            if let Ok((_, Ok(payload))) =
                                set.recv_timeout(Duration::from_micros(random.below(20)))
                            {
                                check(payload);
                            }
                        }
                        _ => {
                            if let Ok((_, Ok(payload))) = set.try_recv() {
                                check(payload);
                            }
                        }
                    }
                }
            }
            drop(gives);
            if seed % 3 == 0 {
                drop(set);
            } else {
                set.messages().for_each(&mut check);
            }
            for mut port in outside {
                port.iter().for_each(&mut check);
            }
            senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
            tally.assert_all_gone();
        }
    });
}

/// Customers leave at any time; the bank inserts the successors, and drops some.
#[test]
fn successors_while_customers_come_and_go() {
    alone(|| {
        for seed in 0..if cfg!(miri) { 1 } else { 20 } {
            let tally = Tally::new();
            let (mut joining, mut joined) = stream();
            let customers: Vec<_> = (0..3)
                .map(|customer| {
                    let (mut random, tally) = (Random::new(seed * 7 + customer), tally.clone());
                    let (clients, servers): (Vec<_>, Vec<_>) =
                        (0..if cfg!(miri) { 2 } else { 60 }).map(|_| bank::pipe()).unzip();
                    servers.into_iter().for_each(|server| assert!(joining.send(server).is_ok()));
                    thread::spawn(move || {
                        for mut client in clients {
                            while random.below(15) != 0 {
                                let Ok(next) = client.deposit(tally.make(1)) else { break };
                                client = next;
                                random.dawdle(200);
                            }
                        }
                    })
                })
                .collect();
            drop(joining);
            let mut random = Random::new(seed);
            let mut set = PortSet::new();
            loop {
                if let Ok(server) = joined.try_recv() {
                    set.insert(server);
                }
                match set.recv() {
                    Ok((_, Ok(Account::Deposit(_, next)))) if random.below(50) == 0 => drop(next),
                    Ok((key, Ok(Account::Deposit(_, next)))) if random.below(5) > 0 => {
                        assert!(set.insert_at(key, next).is_none());
                    }
                    Ok((_, Ok(Account::Deposit(_, next)))) => drop(set.insert(next)),
                    Ok((_, Ok(_))) => panic!("they only pay in"),
                    Ok((_, Err(Closed))) => {}
                    Err(SetEmpty) if joined.is_closed() => break,
                    Err(SetEmpty) => {}
                }
            }
            customers.into_iter().for_each(|customer| customer.join().expect("no customer panics"));
            tally.assert_all_gone();
        }
    });
}

/// Senders that wait for the set, and may give up: what was sent was received, and what came back was not.
#[test]
fn members_whose_sides_meet() {
    alone(|| {
        for capacity in [0, 1] {
            let tally = Tally::new();
            let mut set = PortSet::new();
            let senders: Vec<_> = (0..3)
                .map(|sender| {
                    let (mut chan, port) = sync_stream(capacity);
                    set.insert(port);
                    let (mut random, tally) = (Random::new(sender), tally.clone());
                    thread::spawn(move || {
                        let mut sent = 0_u64;
                        for number in 0..if cfg!(miri) { 5 } else { 4_000 } {
                            let payload = tally.make(number);
                            let accepted = match random.below(4) {
                                0 => chan.try_send(payload).is_ok(),
                                1 => chan.send(payload).is_ok(),
                                _ => chan
                                    .send_timeout(payload, Duration::from_nanos(random.below(5_000)))
                                    .is_ok(),
                            };
                            sent += if accepted { number } else { 0 };
                        }
                        sent
                    })
                })
                .collect();
            let mut received = 0;
            while let Ok((_, message)) = set.recv() {
                received += message.map_or(0, |payload| payload.number);
            }
            let sent: u64 = senders.into_iter().map(|sender| sender.join().expect("no sender panics")).sum();
            assert_eq!(received, sent);
            tally.assert_all_gone();
        }
    });
}
