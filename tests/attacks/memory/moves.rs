//! Ends, sets and futures change threads in the middle of what they do, so that each step is another
//! thread's. Each thread must see what the previous one has written, and two threads must not touch a waiter
//! at the same time.

use pipes::{Chan, Member, Port, PortSet, Readiness, RecvFuture, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, bank, effort, pingpong, poll, poll_future, watched};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::task::Waker;
use std::thread;

/// Runs a few threads, each of which takes a step with a value and passes it on, through a channel of the
/// standard library.
fn relay<T: Send + 'static>(
    hands: usize,
    step: impl Fn(T, &mut Random) -> Option<T> + Send + Copy + 'static,
    first: T,
) {
    let (give, begin): (Vec<SyncSender<T>>, Vec<Receiver<T>>) = (0..hands).map(|_| sync_channel(1)).unzip();
    give[0].send(first).expect("it is there");
    let mut threads = Vec::new();
    for (number, work) in begin.into_iter().enumerate() {
        let next = give[(number + 1) % hands].clone();
        threads.push(thread::spawn(move || {
            let mut random = Random::new(number as u64);
            for it in work {
                random.dawdle(20);
                match step(it, &mut random) {
                    Some(it) => drop(next.send(it)),
                    None => break,
                }
            }
            // The next thread ends as well: its channel loses this sender; the first senders are dropped
            // below.
        }));
    }
    drop(give);
    threads.into_iter().for_each(|it| it.join().expect("it does not panic"));
}

/// A port is polled, waited for, and put into a set and taken out of it by other threads than the one that
/// receives, while its chan sends.
#[test]
fn a_port_that_goes_round() {
    watched(|| {
        for capacity in [None, Some(1), Some(3)] {
            let tally = Tally::new();
            let (mut chan, port): (Chan<Counted>, Port<Counted>) = capacity.map_or_else(stream, sync_stream);
            let count = effort(2000) as u64 + 20;
            let sending = thread::spawn({
                let tally = tally.clone();
                move || (0..count).all(|number| chan.send(tally.make(number)).is_ok())
            });
            relay(
                3,
                move |(mut port, mut next): (Port<Counted>, u64), random| {
                    match random.below(5) {
                        0 => drop(poll(&mut port, &Bell::new().1)),
                        1 => drop(poll(&mut port, Waker::noop())),
                        2 => {
                            let mut set = PortSet::new();
                            set.insert(port);
                            let found = set.is_ready();
                            port = set.remove(&0).expect("it is a member");
                            assert!(!found || port.is_ready() || Readiness::is_closed(&port));
                        }
                        3 => drop(Readiness::wait(&mut port, Some(std::time::Instant::now()))),
                        _ => {}
                    }
                    while let Ok(message) = port.try_recv() {
                        assert_eq!(message.number, next, "in order, each once");
                        next += 1;
                        if random.below(4) == 0 {
                            break;
                        }
                    }
                    (next < count).then_some((port, next))
                },
                (port, 0),
            );
            assert!(sending.join().expect("it does not panic"));
            tally.assert_all_gone();
        }
    });
}

/// A set goes round with its waker and its tokens, while senders wake it.
#[test]
fn a_set_that_goes_round() {
    watched(|| {
        let tally = Tally::new();
        let mut set: PortSet<Port<Counted>> = PortSet::new();
        let count = effort(700) as u64 + 10;
        let senders: Vec<_> = (0..2)
            .map(|_| {
                let (mut chan, tally) = (set.chan(), tally.clone());
                thread::spawn(move || (0..count).all(|number| chan.send(tally.make(number)).is_ok()))
            })
            .collect();
        relay(
            3,
            move |(mut set, mut next): (PortSet<Port<Counted>>, [u64; 2]), random| {
                match random.below(3) {
                    0 => drop(poll(&mut set, &Bell::new().1)),
                    1 => {
                        // A member is removed while its token may be on its way, and is inserted again.
                        let key = random.below(2) as usize;
                        if let Some(mut port) = set.remove(&key) {
                            assert!(Member::unregister_token(&mut port).is_none());
                            assert!(set.insert_at(key, port).is_none());
                        }
                    }
                    _ => {}
                }
                while let Ok((key, message)) = set.try_recv() {
                    let Ok(message) = message else { continue };
                    assert_eq!(message.number, next[key], "in order, each once");
                    next[key] += 1;
                    if random.below(4) == 0 {
                        break;
                    }
                }
                (next != [count; 2]).then_some((set, next))
            },
            (set, [0; 2]),
        );
        assert!(senders.into_iter().all(|it| it.join().expect("it does not panic")));
        tally.assert_all_gone();
    });
}

/// A future of an endpoint is polled by many threads, taken apart, and made anew.
#[test]
fn a_future_that_goes_round() {
    type Future = RecvFuture<pingpong::Server<pingpong::Ping<Counted>>>;
    watched(|| {
        let tally = Tally::new();
        let count = effort(1500) as u64 + 10;
        let (client, server) = pingpong::pipe::<Counted>();
        let playing = thread::spawn({
            let tally = tally.clone();
            move || {
                let mut client = client;
                for number in 0..count {
                    let waiting = client.ping(tally.make(number)).expect("it is there");
                    let Ok(pingpong::Pong::Pong(pong, next)) = waiting.recv() else { return number };
                    assert_eq!(pong.number, number);
                    client = next;
                }
                count
            }
        });
        relay(
            3,
            move |(mut future, done): (Future, u64), random| {
                let waker = if random.below(2) == 0 { Bell::new().1 } else { Waker::noop().clone() };
                match poll_future(&mut future, &waker) {
                    std::task::Poll::Pending if random.below(3) == 0 => {
                        Some((future.into_inner().expect("it is not done").recv_async(), done))
                    }
                    std::task::Poll::Pending => Some((future, done)),
                    std::task::Poll::Ready(received) => {
                        let Ok(pingpong::Ping::Ping(ping, server)) = received else { return None };
                        let server = server.pong(ping).expect("it waits");
                        (done + 1 < count).then_some((server.recv_async(), done + 1))
                    }
                }
            },
            (server.recv_async(), 0),
        );
        assert_eq!(playing.join().expect("it does not panic"), count);
        tally.assert_all_gone();
    });
}

/// An unbounded session whose client runs ahead, and which changes direction and closes. Each side is on two
/// threads that take turns.
#[test]
fn a_session_that_goes_round() {
    watched(|| {
        let tally = Tally::new();
        let count = effort(600) as u64 + 5;
        let (client, server) = bank::pipe::<Counted>();
        let paying = thread::spawn({
            let tally = tally.clone();
            move || {
                relay(
                    2,
                    move |(mut client, tally, done): (bank::Client<bank::Account<Counted>>, Tally, u64),
                          random| {
                        for number in 0..random.below(12) {
                            client = client.deposit(tally.make(number)).expect("it is there");
                        }
                        let waiting = client.withdraw(done).expect("it is there");
                        client = match waiting.recv().expect("it answers") {
                            bank::Answer::Money(money, client) => {
                                assert_eq!(money.number, done);
                                client
                            }
                            bank::Answer::Empty(client) => client,
                        };
                        (done < count).then_some((client, tally, done + 1))
                    },
                    (client, tally, 0),
                );
            }
        });
        relay(
            2,
            move |(server, tally): (bank::Server<bank::Account<Counted>>, Tally), random| {
                let mut server = server;
                for _ in 0..random.below(6) {
                    server = match server.recv().ok()? {
                        bank::Account::Deposit(_, server) => server,
                        bank::Account::Withdraw(amount, server) if random.below(2) == 0 => {
                            server.money(tally.make(amount)).ok()?
                        }
                        bank::Account::Withdraw(_, server) => server.empty().ok()?,
                        bank::Account::Leave => return None,
                    };
                }
                Some((server, tally))
            },
            (server, tally.clone()),
        );
        paying.join().expect("it does not panic");
        tally.assert_all_gone();
    });
}
