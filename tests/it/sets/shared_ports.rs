//! Receivers of shared ports as members.

use crate::shared_ports_kept::streams;
use pipes::{PortSet, TryRecvError, stream};
use pipes_tests::{Bell, Counted, Tally, poll, watched};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::thread;

/// A set with a receiver of each of several queues, in several threads: each message is received once, and
/// each set finds the end of each queue.
#[test]
fn sets_of_shared_ports() {
    watched(|| {
        const MESSAGES: u64 = 200;
        let tally = Tally::new();
        let mut senders = Vec::new();
        let ports = streams().map(|(mut send, port)| {
            let made: Vec<Counted> = (1..=MESSAGES).map(|number| tally.make(number)).collect();
            senders.push(thread::spawn(move || made.into_iter().for_each(&mut send)));
            port.into_shared()
        });
        let workers = [(); 3].map(|()| {
            let mut set: PortSet<_> = ports.iter().cloned().collect();
            thread::spawn(move || {
                let (mut sum, mut ends) = (0, 0);
                while let Ok((_, heard)) = set.recv() {
                    match heard {
                        Ok(message) => sum += message.number,
                        Err(pipes::Closed) => ends += 1,
                    }
                }
                (sum, ends)
            })
        });
        let queues = ports.len();
        drop(ports);
        let heard = workers.map(|worker| worker.join().expect("no panic"));
        assert!(heard.iter().all(|&(_, ends)| ends == queues));
        let sum: u64 = heard.iter().map(|(sum, _)| sum).sum();
        assert_eq!(sum, queues as u64 * MESSAGES * (MESSAGES + 1) / 2);
        senders.into_iter().for_each(|sender| sender.join().expect("no panic"));
        tally.assert_all_gone();
    });
}

/// A member that is taken out of a set, before or after a message has come, is a receiver as before.
#[test]
fn members_are_taken_out() {
    for is_sent in [false, true] {
        for is_seen in [false, true] {
            let (mut chan, port) = stream();
            let mut other = port.into_shared();
            let (bell, waker) = Bell::new();
            let mut set = PortSet::new();
            let key = set.insert(other.clone());
            assert!(poll(&mut set, &waker).is_pending());
            if is_sent {
                chan.send(1).expect("the ports are here");
                assert_eq!(bell.rings(), 1, "the set waits");
            }
            if is_seen {
                assert_eq!(poll(&mut set, &waker).is_ready(), is_sent, "the set keeps what it sees");
            }
            let mut member = set.remove(&key).expect("it is a member");
            assert!(set.is_empty());
            if !is_sent {
                chan.send(1).expect("the ports are here");
                assert_eq!(bell.rings(), 1, "an empty set is ready; the message wakes nothing");
            }
            if is_sent && is_seen {
                assert_eq!(other.try_recv(), Err(TryRecvError::Empty(())), "it is kept");
                assert_eq!(member.try_recv(), Ok(1));
            } else {
                assert_eq!(other.try_recv(), Ok(1));
                assert_eq!(member.try_recv(), Err(TryRecvError::Empty(())));
            }
            set.insert_at(key, member);
            chan.send(2).expect("the ports are here");
            assert_eq!(set.recv().map(|(_, heard)| heard), Ok(Ok(2)));
        }
    }
}

/// Another receiver takes the message whose arrival a set was told of: the set waits again.
#[test]
fn a_set_waits_again() {
    let (mut chan, port) = stream();
    let mut other = port.into_shared();
    let mut set: PortSet<_> = [other.clone()].into_iter().collect();
    for number in 0..5 {
        let (bell, waker) = Bell::new();
        assert!(poll(&mut set, &waker).is_pending());
        chan.send(number).expect("the ports are here");
        assert_eq!(bell.rings(), 1);
        assert_eq!(other.try_recv(), Ok(number));
        assert!(set.try_recv().is_err());
    }
    chan.send(9).expect("the ports are here");
    assert_eq!(set.try_recv().map(|(_, heard)| heard), Ok(Ok(9)));
    drop(chan);
    assert_eq!(set.try_recv().map(|(_, heard)| heard), Ok(Err(pipes::Closed)));
    assert!(set.is_empty() && other.is_closed());
}

/// The waker of a set's owner receives from the same port.
#[test]
fn the_waker_of_a_set_receives() {
    watched(|| {
        let (mut chan, port) = stream();
        let mut other = port.into_shared();
        let mut set: PortSet<_> = [other.clone()].into_iter().collect();
        let inside = Arc::new(Mutex::new((other.clone(), None)));
        for number in 0..3 {
            let also = inside.clone();
            let (bell, waker) = Bell::that(move || {
                let (port, seen) = &mut *also.lock().expect("no panic");
                *seen = port.try_recv().ok();
            });
            assert!(poll(&mut set, &waker).is_pending());
            chan.send(number).expect("the ports are here");
            assert_eq!(bell.rings(), 1);
            assert_eq!(inside.lock().expect("no panic").1, Some(number));
        }
        assert!(other.try_recv().is_err());
    });
}

/// The set is dropped while a member keeps a message: another receiver gets it.
#[test]
fn a_set_is_dropped() {
    let (mut chan, port) = stream();
    let mut other = port.into_shared();
    let mut set: PortSet<_> = [other.clone()].into_iter().collect();
    chan.send(1).expect("the ports are here");
    assert!(poll(&mut set, Waker::noop()).is_ready());
    assert!(other.try_recv().is_err());
    drop(set);
    assert_eq!(other.try_recv(), Ok(1));
    assert_eq!(chan.send(2), Ok(()));
}
