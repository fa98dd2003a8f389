//! Paces and batches that other threads change again and again, to any possible value, while stages sleep by
//! them: the value that was set last must hold. And listeners that leave in the middle of a crowd of clients
//! that connect.

use pipes::{listen, stream};
use pipes_skeleton::{Batching, Metrics, Pace, from_iter, from_port, merge};
use pipes_tests::{Random, effort, greeting, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A random rate, possibly an extreme one.
fn any_rate(random: &mut Random) -> f64 {
    match random.below(9) {
        0 | 1 => 0.0,
        2 => f64::MIN_POSITIVE / 4.0,
        3 => 1e-300,
        4 => 1e-3,
        5 => 1.0,
        6 => 1e6,
        7 => 1e300,
        _ => f64::MAX,
    }
}

#[test]
fn paces() {
    for seed in 0..effort(40) as u64 {
        watched(move || {
            let pace = Pace::new(any_rate(&mut Random::new(seed))).expect("it is possible");
            let metrics = Metrics::new();
            let one = || from_iter(0..300_u32).window(3).hand_over(2).parallel(2, |n| n).paced(&pace);
            let storms: Vec<_> = (0..2)
                .map(|number| {
                    let pace = pace.clone();
                    thread::spawn(move || {
                        let mut random = Random::new(seed * 2 + number + 1000);
                        for _ in 0..200 {
                            pace.set(any_rate(&mut random)).expect("it is possible");
                            random.dawdle(20_000);
                        }
                    })
                })
                .collect();
            let last = pace.clone();
            let ends = thread::spawn(move || {
                storms.into_iter().for_each(|storm| storm.join().expect("it does not panic"));
                last.set(1e9).expect("it is possible");
            });
            let all =
                merge([one(), one()]).measured(&metrics).paced(&pace).collect().expect("no stage fails");
            assert_eq!(all.len(), 600);
            ends.join().expect("it does not panic");
        });
    }
}

#[test]
fn batches() {
    for seed in 0..effort(40) as u64 {
        watched(move || {
            let batching = Batching::of(3);
            let (mut chan, port) = stream();
            let (came, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let counts = seen.clone();
            let items = from_port(port).window(4).parallel(2, |n: usize| n).in_order().batched(&batching);
            let again = items.sequential(|batch| batch.len()).hand_over(1).batched(&batching);
            let sink = thread::spawn(move || {
                again.for_each(|batch| {
                    counts.fetch_add(batch.iter().sum::<usize>(), Ordering::SeqCst);
                })
            });
            let mut random = Random::new(seed + 7);
            for _ in 0..40 {
                for _ in 0..random.below(9) {
                    chan.send(1).expect("it runs");
                    came.fetch_add(1, Ordering::SeqCst);
                }
                for _ in 0..random.below(6) {
                    if random.below(2) == 0 {
                        let size = [1, 2, 5, 100, usize::MAX][random.below(5) as usize];
                        batching.set_size(size).expect("it is possible");
                    } else {
                        let age = [
                            None,
                            Some(Duration::MAX),
                            Some(Duration::from_micros(30)),
                            Some(Duration::ZERO),
                        ];
                        batching.set_age(age[random.below(4) as usize]);
                    }
                    random.dawdle(3_000);
                }
                // With this setting no item may be kept back, although no further item comes.
                if random.below(2) == 0 {
                    batching.set_age(None);
                    batching.set_size(1).expect("it is possible");
                } else {
                    batching.set_size(usize::MAX).expect("it is possible");
                    batching.set_age(Some(Duration::from_nanos(random.below(50_000))));
                }
                while seen.load(Ordering::SeqCst) != came.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            }
            drop(chan);
            sink.join().expect("it does not panic").expect("no stage fails");
        });
    }
}

/// Clients connect while the listener leaves: each must be refused, or served, or find its pipe closed.
#[test]
fn a_listener_in_a_crowd() {
    for round in 0..effort(400) {
        watched(move || {
            let (connector, mut listener) = listen::<greeting::Protocol<usize>>();
            let over = Arc::new(AtomicBool::new(false));
            let clients: Vec<_> = (0..3)
                .map(|_| {
                    let (connector, over) = (connector.clone(), over.clone());
                    thread::spawn(move || {
                        let mut served = 0;
                        loop {
                            let Ok(client) = connector.connect() else { break served };
                            let waits = if served % 2 == 0 {
                                client.recv()
                            } else {
                                futures::executor::block_on(client.recv_async())
                            };
                            match waits {
                                Ok(greeting::Hello::Hello(_, reply)) => {
                                    let _ = reply.thanks();
                                    served += 1;
                                }
                                Err(_) => assert!(over.load(Ordering::SeqCst), "it was not served"),
                            }
                        }
                    })
                })
                .collect();
            for number in 0..round % 20 {
                let server = listener.accept().expect("they connect");
                let _ = server.hello(number);
            }
            over.store(true, Ordering::SeqCst);
            drop(listener);
            let served: usize =
                clients.into_iter().map(|client| client.join().expect("it does not panic")).sum();
            assert_eq!(served, round % 20);
        });
    }
}
