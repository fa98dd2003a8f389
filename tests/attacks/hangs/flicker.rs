//! Offers that come and go, at capacity 0. A wait with a time limit must return, and a wait without one must
//! meet a peer in the end, however often it is woken for nothing.

use futures::FutureExt;
use futures::executor::block_on;
use pipes::{Chan, PortSet, SendTimeoutError, select, sync_stream};
use pipes_tests::{Bell, Random, effort, poll, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Offers and withdraws again and again. Returns how many messages were sent.
fn flickers(mut chan: Chan<usize>, over: Arc<AtomicBool>, way: usize) -> JoinHandle<usize> {
    thread::spawn(move || {
        let mut sent = 0;
        while !over.load(Ordering::Relaxed) {
            let came = match way {
                0 => chan.send_timeout(sent, Duration::ZERO),
                _ => chan.send_deadline(sent, Instant::now()),
            };
            match came {
                Ok(()) => sent += 1,
                Err(SendTimeoutError::Timeout(_)) => {}
                Err(SendTimeoutError::Closed(_)) => break,
            }
        }
        sent
    })
}

fn ways(test: impl Fn(usize) + Send + Sync + Clone + 'static) {
    for way in 0..2 {
        let test = test.clone();
        watched(move || test(way));
    }
}

const LIMIT: Duration = Duration::from_micros(300);

#[test]
fn limits_of_receives() {
    ways(|way| {
        let over = Arc::new(AtomicBool::new(false));
        let (chan, mut port) = sync_stream(0);
        let sender = flickers(chan, over.clone(), way);
        let mut next = 0;
        for _ in 0..effort(1_000) {
            if let Ok(number) = port.recv_timeout(LIMIT) {
                assert_eq!(number, next);
                next += 1;
            }
        }
        over.store(true, Ordering::Relaxed);
        while let Ok(number) = port.recv() {
            assert_eq!(number, next);
            next += 1;
        }
        assert_eq!(sender.join().expect("it does not panic"), next);
    });
}

#[test]
fn limits_of_sets_and_selections() {
    ways(|way| {
        let over = Arc::new(AtomicBool::new(false));
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..3)
            .map(|_| {
                let (chan, port) = sync_stream(0);
                set.insert(port);
                flickers(chan, over.clone(), way)
            })
            .collect();
        let (chan, mut alone) = sync_stream(0);
        let other = flickers(chan, over.clone(), way);
        let (mut came, mut came_alone) = (0, 0);
        let mut random = Random::new(way as u64);
        for _ in 0..effort(1_000) {
            if random.below(2) == 0 {
                came += usize::from(set.recv_timeout(LIMIT).is_ok());
            } else {
                select! {
                    turn = set => came += usize::from(turn.is_ok()),
                    number = alone => came_alone += usize::from(number.is_ok()),
                    timeout(LIMIT) => {}
                }
            }
        }
        over.store(true, Ordering::Relaxed);
        came += set.messages().count();
        came_alone += alone.iter().count();
        assert_eq!(
            senders.into_iter().map(|sender| sender.join().expect("it does not panic")).sum::<usize>(),
            came
        );
        assert_eq!(other.join().expect("it does not panic"), came_alone);
    });
}

/// Receivers that share a port wait in every way while offers come and go. A receiver that is awake may
/// always be faster than one that is woken.
#[test]
fn receivers_that_share() {
    ways(|way| {
        let over = Arc::new(AtomicBool::new(false));
        let (chan, port) = sync_stream(0);
        let sender = flickers(chan, over.clone(), way);
        let port = port.into_shared();
        let came = Arc::new(AtomicUsize::new(0));
        let receivers: Vec<_> = (0..4)
            .map(|number| {
                let (mut port, came) = (port.clone(), came.clone());
                thread::spawn(move || {
                    let mut mine = 0;
                    loop {
                        let got = match number {
                            0 => port.recv().ok(),
                            1 => block_on(port.recv_async()).ok(),
                            2 => loop {
                                match port.recv_timeout(LIMIT) {
                                    Ok(number) => break Some(number),
                                    Err(pipes::RecvTimeoutError::Closed) => break None,
                                    Err(pipes::RecvTimeoutError::Timeout(())) => {}
                                }
                            },
                            _ => block_on(futures::StreamExt::next(&mut port)),
                        };
                        if got.is_none() {
                            break;
                        }
                        mine += 1;
                        came.fetch_add(1, Ordering::SeqCst);
                    }
                    mine
                })
            })
            .collect();
        drop(port);
        while came.load(Ordering::SeqCst) < effort(1_000) {
            thread::yield_now();
        }
        over.store(true, Ordering::Relaxed);
        let sent = sender.join().expect("it does not panic");
        let each: Vec<usize> =
            receivers.into_iter().map(|it| it.join().expect("it does not panic")).collect();
        assert_eq!(each.iter().sum::<usize>(), sent);
    });
}

/// A sender waits, and a receiver polls and gives up again and again, in time and too late.
#[test]
fn wishes_that_come_and_go() {
    watched(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            for number in 0..effort(2_000) {
                match number % 3 {
                    0 => chan.send(number).expect("it is received"),
                    1 => block_on(chan.send_async(number)).expect("it is received"),
                    _ => {
                        while chan.try_send(number).is_err() {
                            thread::yield_now();
                        }
                    }
                }
            }
        });
        let mut random = Random::new(3);
        for number in 0..effort(2_000) {
            let got = loop {
                match random.below(4) {
                    0 => {
                        let (_bell, waker) = Bell::new();
                        let _ready = poll(&mut port, &waker);
                    }
                    1 => {
                        if let Ok(number) = port.recv_timeout(Duration::from_nanos(random.below(3_000))) {
                            break number;
                        }
                    }
                    2 => {
                        if let Some(Ok(number)) = port.recv_async().now_or_never() {
                            break number;
                        }
                    }
                    _ => {
                        if let Ok(number) = port.try_recv() {
                            break number;
                        }
                    }
                }
            };
            assert_eq!(got, number);
        }
        sender.join().expect("it does not panic");
    });
}
