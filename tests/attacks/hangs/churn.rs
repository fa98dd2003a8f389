//! The receivers of sets, selections and shared ports are exchanged in the middle of a wait: by wakers, by
//! keys, and by each other. No message may be lost.

use super::executor::{run, task};
use futures::{FutureExt, StreamExt};
use pipes::{Chan, Port, PortSet, SharedPort, oneshot, stream, sync_stream};
use pipes_tests::{Bell, Random, effort, poll, poll_future, watched};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// A ready member is removed, and reinserted under its own key, under another key, or into another set. Its
/// message must always be found.
#[test]
fn a_ready_member_that_moves() {
    watched(|| {
        for way in 0..6 {
            let (mut chan, port) = sync_stream(2);
            let mut set = PortSet::<Port<u32>, u32>::new();
            set.insert_at(1, port);
            assert!(poll(&mut set, Waker::noop()).is_pending());
            chan.send(7).expect("it is here");
            if way % 2 == 0 {
                assert!(poll(&mut set, Waker::noop()).is_ready());
            }
            let port = set.remove(&1).expect("it is a member");
            match way / 2 {
                0 => assert!(set.insert_at(1, port).is_none()),
                1 => {
                    // In the place of another member, which is ready as well.
                    let (mut other, place) = stream();
                    other.send(9).expect("it is here");
                    set.insert_at(2, place);
                    let mut back = set.insert_at(2, port).expect("it was there");
                    assert_eq!(back.recv(), Ok(9));
                }
                _ => {
                    let mut other = PortSet::new();
                    other.insert_at(3, port);
                    assert_eq!(set.try_recv(), Err(pipes::TryRecvError::Closed));
                    set = other;
                }
            }
            let (_, got) = set.recv().expect("there is a member");
            assert_eq!(got, Ok(7));
            assert!(poll(&mut set, Waker::noop()).is_pending());
            chan.send(8).expect("it is here");
            assert_eq!(set.recv().expect("there is a member").1, Ok(8));
        }
    });
}

/// A task waits for a set, and a send runs its waker, which removes a member and inserts another under the
/// same lock.
#[test]
fn a_waker_that_changes_the_set() {
    watched(|| {
        let set = Arc::new(Mutex::new(PortSet::<Port<u32>>::new()));
        let mut chan = set.lock().expect("no thread panics with it").chan();
        for number in 0..effort(500) as u32 {
            let inside = set.clone();
            let (mut next, port) = stream();
            let (bell, waker) = Bell::that(move || {
                let mut set = inside.lock().expect("no thread panics with it");
                let ready: Vec<usize> = set.keys().copied().collect();
                let mut old = set.remove(&ready[0]).expect("it is a member");
                assert_eq!(old.try_recv(), Ok(number));
                set.insert(port);
            });
            assert!(poll(&mut *set.lock().expect("no thread panics with it"), &waker).is_pending());
            chan.send(number).expect("it is here");
            assert_eq!(bell.rings(), 1);
            next.send(number + 1).expect("it is here");
            let got = set.lock().expect("no thread panics with it").recv();
            assert_eq!(got.expect("there is a member").1, Ok(number + 1));
            chan = next;
        }
    });
}

/// Two sets hand their members to each other while other threads send to these. A token on its way to one set
/// must not be taken for a token of the other.
#[test]
fn sets_that_exchange_their_members() {
    const MEMBERS: usize = 6;
    const MESSAGES: usize = effort(3_000);
    for seed in 0..3 {
        watched(move || {
            let (chans, ports): (Vec<Chan<usize>>, Vec<_>) = (0..MEMBERS).map(|_| sync_stream(1)).unzip();
            let (mut left, mut right) = (PortSet::new(), PortSet::new());
            left.extend(ports.into_iter().enumerate());
            let senders: Vec<_> = (chans.into_iter())
                .map(|mut chan| {
                    thread::spawn(move || (0..MESSAGES).for_each(|n| chan.send(n).expect("it is received")))
                })
                .collect();
            let (mut random, mut next) = (Random::new(seed), [0; MEMBERS]);
            while !left.is_empty() || !right.is_empty() {
                let (from, to) = if right.is_empty() || !left.is_empty() && random.below(2) == 0 {
                    (&mut left, &mut right)
                } else {
                    (&mut right, &mut left)
                };
                let key = random.below(MEMBERS as u64) as usize;
                if random.below(3) == 0
                    && let Some(port) = from.remove(&key)
                {
                    to.insert_at(key, port);
                    continue;
                }
                // The thread sleeps here until one of these members is ready, whatever was ready in the other
                // set before.
                match from.recv() {
                    Ok((key, Ok(number))) => {
                        assert_eq!(number, next[key]);
                        next[key] += 1;
                    }
                    Ok((key, Err(pipes::Closed))) => assert_eq!(next[key], MESSAGES),
                    Err(pipes::SetEmpty) => {}
                }
            }
            senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
        });
    }
}

/// Receivers of a shared port, in tasks that give up each wait and begin another one: each message must reach
/// one of them.
#[test]
fn shared_receives_that_are_given_up() {
    watched(|| {
        const MESSAGES: usize = effort(2_000);
        let (mut chan, port) = stream();
        let (mut tick, ticks) = stream();
        let (port, ticks) = (port.into_shared(), ticks.into_shared());
        let (done, all) = pipes::shared_stream();
        let receiver =
            |mut port: SharedPort<usize>, mut ticks: SharedPort<()>, done: pipes::SharedChan<usize>| {
                task(async move {
                    loop {
                        futures::select_biased! {
                            tick = ticks.recv_async().fuse() => if tick.is_err() { break },
                            message = port.recv_async().fuse() => match message {
                                Ok(number) => done.send(number).expect("it is counted"),
                                Err(_) => break,
                            },
                        }
                    }
                    // The end of the ticks is not the end of the messages.
                    while let Ok(number) = port.recv_async().await {
                        done.send(number).expect("it is counted");
                    }
                })
            };
        let tasks: Vec<_> = (0..4).map(|_| receiver(port.clone(), ticks.clone(), done.clone())).collect();
        drop((port, ticks, done));
        let sender = thread::spawn(move || {
            for number in 0..MESSAGES {
                chan.send(number).expect("it is received");
                tick.send(()).expect("it is received");
            }
        });
        run(tasks);
        sender.join().expect("it does not panic");
        let mut numbers: Vec<_> = all.into_iter().collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..MESSAGES).collect::<Vec<_>>());
    });
}

/// The first receiver in the line leaves, in each possible way: the next receiver must get its message.
#[test]
fn who_leaves_the_line_passes_its_call_on() {
    for way in 0..5 {
        watched(move || {
            let (mut chan, port) = sync_stream(1);
            let mut first = port.into_shared();
            let mut second = first.clone();
            let (bell, waker) = Bell::new();
            assert!(poll_future(&mut first.next(), &waker).is_pending());
            let (ready, is_ready) = oneshot();
            let next = thread::spawn(move || {
                ready.send(()).expect("it is waited for");
                second.recv()
            });
            is_ready.recv().expect("it comes");
            chan.send(1).expect("it is received");
            assert!(bell.rings() <= 1);
            match way {
                0 => drop(first.recv_async()),
                1 => drop(first),
                2 => {
                    let panics = thread::spawn(move || {
                        let _first = first;
                        panic!("it leaves by this");
                    });
                    assert!(panics.join().is_err());
                }
                // It takes its message, and the next message is for the other receiver.
                3 => {
                    if let Poll::Ready(got) = poll_future(&mut first.next(), Waker::noop()) {
                        assert_eq!(got, Some(1));
                        chan.send(1).expect("it is received");
                    }
                    drop(first);
                }
                _ => {
                    if first.recv_timeout(Duration::ZERO).is_ok() {
                        chan.send(1).expect("it is received");
                    }
                }
            }
            assert_eq!(next.join().expect("it does not panic"), Ok(1));
        });
    }
}
