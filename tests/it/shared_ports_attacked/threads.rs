//! Threads that receive from one queue in every way, and stop waiting again and again.

use crate::shared_ports_kept::streams;
use futures::FutureExt;
use futures::executor::block_on;
use pipes::{PortSet, RecvTimeoutError, SharedPort, TryRecvError, shared_sync_stream};
use pipes_tests::{Counted, Random, Tally, poll, watched};
use std::future::ready;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

const ROUNDS: u64 = if cfg!(miri) { 2 } else { 30 };
const MESSAGES: u64 = if cfg!(miri) { 20 } else { 400 };

/// What a receiver found: a message, the end, or nothing.
type Found = Result<Option<Counted>, ()>;

fn of_timeout<E>(heard: Result<Counted, RecvTimeoutError<E>>) -> Found {
    match heard {
        Ok(message) => Ok(Some(message)),
        Err(RecvTimeoutError::Timeout(_)) => Ok(None),
        Err(RecvTimeoutError::Closed) => Err(()),
    }
}

fn of_set(set: &mut PortSet<SharedPort<Counted>>, patience: Duration) -> Found {
    match set.recv_timeout(patience) {
        Ok((_, Ok(message))) => Ok(Some(message)),
        Ok((_, Err(pipes::Closed))) | Err(RecvTimeoutError::Timeout(())) => Ok(None),
        Err(RecvTimeoutError::Closed) => Err(()),
    }
}

/// One receive, or an attempt at one, in a random way.
fn receives(mut port: &mut SharedPort<Counted>, random: &mut Random) -> Found {
    let patience = Duration::from_micros(random.below(30));
    match random.below(10) {
        0 => port.recv().map(Some).map_err(drop),
        1 => of_timeout(port.recv_timeout(patience)),
        2 => match port.try_recv() {
            Ok(message) => Ok(Some(message)),
            Err(TryRecvError::Empty(())) => Ok(None),
            Err(TryRecvError::Closed) => Err(()),
        },
        3 => block_on(port.recv_async()).map(Some).map_err(drop),
        4 => port.recv_async().now_or_never().transpose().map_err(drop),
        // A clone keeps a message for a moment, and gives it back.
        5 => {
            let mut other = port.clone();
            let _ready = poll(&mut other, Waker::noop());
            random.dawdle(200);
            Ok(None)
        }
        6 => {
            let mut other = port.clone();
            let heard = pipes::select! {
                heard = port => Some(heard),
                heard = other => Some(heard),
                timeout(patience) => None,
            };
            heard.transpose().map_err(drop)
        }
        7 => match block_on(port.recv_or(ready(()))) {
            Ok(message) => Ok(Some(message)),
            Err(pipes::RecvOrError::Other((), ())) => Ok(None),
            Err(pipes::RecvOrError::Closed) => Err(()),
        },
        // A set is dropped after a few turns; a member leaves it, and may keep a message.
        8 => {
            let mut set: PortSet<_> = [port.clone(), port.clone()].into_iter().collect();
            let found = of_set(&mut set, patience)?;
            let _ready = poll(&mut set, Waker::noop());
            drop(set.remove(&random.below(2).try_into().expect("it is small")));
            Ok(found)
        }
        _ => block_on(async {
            let late = futures::future::lazy(|_| ());
            pipes::select_async! { heard = port => heard.map(Some).map_err(drop), timeout(late) => Ok(None) }
        }),
    }
}

#[test]
fn each_message_once() {
    watched(|| {
        let mut random = Random::new(0xacce55);
        for _ in 0..ROUNDS {
            for (mut send, port) in streams() {
                let tally = Tally::new();
                let made: Vec<Counted> = (0..MESSAGES).map(|number| tally.make(number)).collect();
                let mut pace = Random::new(random.below(u64::MAX));
                let sender = thread::spawn(move || {
                    for message in made {
                        pace.dawdle(300);
                        send(message);
                    }
                });
                let port = port.into_shared();
                let receivers = [(); 3].map(|()| {
                    let (mut port, mut random) = (port.clone(), Random::new(random.below(u64::MAX)));
                    thread::spawn(move || {
                        let mut numbers = Vec::new();
                        while let Ok(found) = receives(&mut port, &mut random) {
                            numbers.extend(found.map(|message| message.number));
                        }
                        assert!(port.is_closed() && !port.is_ready());
                        numbers
                    })
                });
                drop(port);
                let mut all = receivers.map(|receiver| receiver.join().expect("no panic")).concat();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..MESSAGES));
                sender.join().expect("no panic");
                tally.assert_all_gone();
            }
        }
    });
}

/// No more than the capacity is unread, and the senders come to an end.
#[test]
fn no_more_than_the_capacity() {
    watched(|| {
        let mut random = Random::new(0xca9ac);
        for _ in 0..ROUNDS {
            let capacity = 1 + random.below(40);
            let (chan, port) = shared_sync_stream(capacity as usize);
            let port = port.into_shared();
            // Sends that are done, and receives that have begun.
            let (sent, begun) = (&AtomicU64::new(0), &AtomicU64::new(0));
            let tally = &Tally::new();
            thread::scope(|scope| {
                for _ in 0..2 {
                    let chan = chan.clone();
                    scope.spawn(move || {
                        for number in 0..MESSAGES {
                            chan.send(tally.make(number)).expect("the receivers are here");
                            let sent = sent.fetch_add(1, Ordering::SeqCst) + 1;
                            let begun = begun.load(Ordering::SeqCst);
                            assert!(sent <= begun + capacity, "{sent}, {begun}, {capacity}");
                        }
                    });
                }
                drop(chan);
                for _ in 0..3 {
                    let mut port = port.clone();
                    scope.spawn(move || {
                        begun.fetch_add(1, Ordering::SeqCst);
                        while port.recv().is_ok() {
                            begun.fetch_add(1, Ordering::SeqCst);
                        }
                    });
                }
            });
            assert!(port.is_closed());
            drop(port);
            tally.assert_all_gone();
        }
    });
}
