//! Sets: no allocation for a message, however many members there are.

use crate::{assert_all_comes_back, counting, without_allocating};
use pipes::{Chan, Closed, Port, PortSet, SetEmpty, stream};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::poll;
use std::task::Waker;

/// A set with idle members, and with three busy ones, whose keys are the first ones.
struct Crowd {
    set: PortSet<Port<u64>>,
    busy: [Chan<u64>; 3],
    silent: Vec<Chan<u64>>,
}

fn crowd(idle: usize) -> Crowd {
    let mut set = PortSet::new();
    let busy = [(); 3].map(|()| set.chan());
    let silent = (0..idle).map(|_| set.chan()).collect();
    Crowd { set, busy, silent }
}

/// Sends and receives `count` times, in several rhythms.
fn rounds(set: &mut PortSet<Port<u64>>, busy: &mut [Chan<u64>; 3], count: u64) {
    for number in 0..count {
        busy[number as usize % 3].send(number).expect("the set is here");
        assert_eq!(set.recv(), Ok((number as usize % 3, Ok(number))));
        if number % 7 == 0 {
            busy.iter_mut().for_each(|chan| chan.send(number).expect("the set is here"));
            assert_eq!(set.messages().take(3).sum::<u64>(), number * 3);
            assert!(set.try_recv().is_err());
            assert!(poll(set, Waker::noop()).is_pending());
        }
    }
}

#[test]
fn idle_members_cost_a_receive_nothing() {
    for idle in [0, 10, 100_000] {
        let Crowd { mut set, mut busy, silent: _silent } = crowd(idle);
        rounds(&mut set, &mut busy, 2_000);
        without_allocating(|| rounds(&mut set, &mut busy, 20_000));
    }
}

/// An endpoint of a protocol leaves the set with each message, and its successor is inserted under its key.
#[test]
fn successors_under_their_key() {
    for idle in [0, 100_000] {
        let mut set = PortSet::new();
        let silent: Vec<_> = (0..idle).map(|_| pingpong::pipe::<u64>()).collect();
        let (silent, servers): (Vec<_>, Vec<_>) = silent.into_iter().unzip();
        set.extend(servers);
        let (client, server) = pingpong::pipe();
        let key = set.insert(server);
        let mut rounds = |mut client: pingpong::Client<Ping<u64>>, count: u64| {
            for round in 0..count {
                let waiting = client.ping(round).expect("the server is here");
                let Ok((served, Ok(Ping::Ping(number, answering)))) = set.recv() else {
                    panic!("it was sent")
                };
                assert_eq!((served, number), (key, round));
                assert!(set.insert_at(key, answering.pong(number).expect("the client is here")).is_none());
                let Ok(Pong::Pong(_, next)) = waiting.recv() else { panic!("it was answered") };
                client = next;
            }
            client
        };
        let client = rounds(client, 10);
        drop(without_allocating(|| rounds(client, 10_000)));
        drop(silent);
    }
}

/// A member allocates its pipe and its token; the room of former members is reused.
#[test]
fn a_member_is_one_allocation_more_than_its_pipe() {
    let mut set = PortSet::new();
    let (chans, ports): (Vec<_>, Vec<_>) = (0..1_000).map(|_| stream::<u64>()).unzip();
    let ((), first) = counting(|| set.extend(ports));
    // Tokens, and the tables as they grow.
    assert!((1_000..1_050).contains(&first.count_total), "{first:?}");
    drop(chans);
    for _ in 0..1_000 {
        assert!(matches!(set.recv(), Ok((_, Err(Closed)))));
    }
    assert_eq!(set.recv(), Err(SetEmpty));
    let (_chans, ports): (Vec<_>, Vec<_>) = (0..1_000).map(|_| stream::<u64>()).unzip();
    let ((), second) = counting(|| set.extend(ports));
    assert_eq!((second.count_total, set.len()), (0, 1_000), "{second:?}");
}

/// A member that is removed makes room for a new one, whether it was idle, had a message, or had a turn to
/// come, and even if the set does not receive in between.
#[test]
fn members_that_are_removed_make_room() {
    for (looks, receives) in [(false, false), (true, false), (true, true)] {
        let Crowd { mut set, mut busy, silent: _silent } = crowd(3);
        let mut in_and_out = |count: u64| {
            for number in 0..count {
                busy.iter_mut().for_each(|chan| chan.send(number).expect("the set is here"));
                assert!(!looks || poll(&mut set, Waker::noop()).is_ready());
                assert!(!receives || set.recv().is_ok());
                for key in 0..6 {
                    let mut port = set.remove(&key).expect("it is a member");
                    let _: usize = port.try_iter().count();
                    assert!(set.insert_at(key, port).is_none());
                }
            }
        };
        in_and_out(200);
        let ((), kept) = counting(|| in_and_out(10_000));
        assert!(kept.bytes_current < 10_000, "{kept:?}");
        assert_eq!(set.len(), 6);
    }
}

/// The set is dropped before or after its members' chans, with members that are ready, served and removed.
#[test]
fn all_memory_comes_back() {
    for chans_first in [false, true] {
        assert_all_comes_back(|| {
            let Crowd { mut set, mut busy, silent } = crowd(100);
            rounds(&mut set, &mut busy, 100);
            busy.iter_mut().for_each(|chan| chan.send(5).expect("the set is here"));
            assert!(matches!(set.recv(), Ok((_, Ok(5)))));
            busy[0].send(6).expect("the set is here");
            let removed = (set.remove(&1), set.remove(&50));
            assert!(removed.0.is_some() && removed.1.is_some());
            if chans_first {
                drop((silent, busy, set, removed));
            } else {
                drop((set, removed));
                assert!(busy[1].send(1).is_err());
            }
        });
    }
}
