//! Sets and their members in several threads.

use super::streams;
use crate::acceptance::Sleeper;
use pipes::{Closed, PortSet, RecvTimeoutError, SetEmpty, stream};
use pipes_tests::{Tally, watched};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[test]
fn a_sleeping_set_is_woken_by_a_message_and_by_a_close() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        let receiving = Sleeper::spawn(move || (set.recv(), set));
        receiving.fall_asleep();
        chans[1].send(5).expect("the set is there");
        let (turn, mut set) = receiving.join().expect("it does not panic");
        assert_eq!(turn, Ok((1, Ok(5))));

        let receiving = Sleeper::spawn(move || (set.recv(), set));
        receiving.fall_asleep();
        drop(chans.remove(2));
        let (turn, set) = receiving.join().expect("it does not panic");
        assert_eq!((turn, set.len()), (Ok((2, Err(Closed))), 2));
    });
}

/// A set that has waited in one thread and waits in another is woken in the second.
#[test]
fn a_set_that_moves_between_threads() {
    watched(|| {
        let (mut chans, mut set) = streams(4);
        for round in 0..40 {
            assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
            let receiving = thread::spawn(move || (set.recv(), set));
            chans[round % 4].send(round).expect("the set is there");
            let turn;
            (turn, set) = receiving.join().expect("it does not panic");
            assert_eq!(turn, Ok((round % 4, Ok(round))));
        }
    });
}

/// Two threads share one set behind a lock.
#[test]
fn a_set_that_threads_share() {
    watched(|| {
        let (mut chans, set) = streams(4);
        let set = Arc::new(Mutex::new(set));
        let receivers: Vec<_> = (0..2)
            .map(|_| {
                let set = set.clone();
                thread::spawn(move || {
                    let mut sum = 0;
                    loop {
                        let turn = set.lock().expect("nobody panics").recv();
                        match turn {
                            Ok((_, message)) => sum += message.unwrap_or(0),
                            Err(SetEmpty) => return sum,
                        }
                    }
                })
            })
            .collect();
        for number in 0..1_000 {
            chans[number % 4].send(number).expect("the set is there");
        }
        drop(chans);
        let sums = receivers.into_iter().map(|receiver| receiver.join().expect("no receiver panics"));
        assert_eq!(sums.sum::<usize>(), 999 * 1_000 / 2);
    });
}

#[test]
fn many_senders() {
    watched(|| {
        let tally = Tally::new();
        let (chans, mut set) = streams(8);
        let senders: Vec<_> = (chans.into_iter())
            .map(|mut chan| {
                let tally = tally.clone();
                thread::spawn(move || {
                    (0..1_000).for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
                })
            })
            .collect();
        let (mut next, mut closes) = ([0; 8], 0);
        while let Ok((key, message)) = set.recv() {
            match message {
                Ok(payload) => {
                    assert_eq!(payload.number, next[key]);
                    next[key] += 1;
                }
                Err(Closed) => {
                    assert_eq!(next[key], 1_000, "closed before its last message");
                    closes += 1;
                }
            }
        }
        assert_eq!((next, closes), ([1_000; 8], 8));
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
        tally.assert_all_gone();
    });
}

/// Other threads send new members while the set receives.
#[test]
fn members_that_are_sent_to_the_set() {
    watched(|| {
        let (mut joining, mut joined) = stream();
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..20)
            .map(|sender: usize| {
                let (mut chan, port) = stream();
                joining.send((sender, port)).expect("it is here");
                thread::spawn(move || (0..50).for_each(|number| chan.send(number).expect("the set is there")))
            })
            .collect();
        drop(joining);
        let mut sum = 0;
        for (key, port) in joined.iter() {
            assert!(set.insert_at(key, port).is_none());
            if let Ok((_, Ok(number))) = set.recv() {
                sum += number;
            }
        }
        sum += set.messages().sum::<u64>();
        assert_eq!(sum, 20 * 49 * 50 / 2);
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}

/// Each time a member is removed and inserted again, its chan goes on sending.
#[test]
fn members_that_leave_and_come_back_while_they_are_sent_to() {
    watched(|| {
        let (chans, mut set) = streams(3);
        let senders: Vec<_> = (chans.into_iter())
            .map(|mut chan| {
                thread::spawn(move || {
                    (0..2_000).for_each(|number| chan.send(number).expect("its port is there"))
                })
            })
            .collect();
        let mut next = [0; 3];
        let mut round = 0;
        while let Ok((key, message)) = set.recv() {
            let Ok(number) = message else { continue };
            assert_eq!(number, next[key]);
            next[key] += 1;
            round += 1;
            if let Some(mut port) = set.remove(&(round % 3)) {
                if let Ok(number) = port.try_recv() {
                    assert_eq!(number, next[round % 3]);
                    next[round % 3] += 1;
                }
                assert!(set.insert_at(round % 3, port).is_none());
            }
        }
        assert_eq!(next, [2_000; 3]);
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}
