//! Selections in several threads, against sends, closes, timeouts, and each other.

use crate::race::{alone, counted_race};
use pipes::{Chan, Port, PortOne, RecvError, oneshot, select, select_async, stream, sync_stream};
use pipes_tests::{Counted, DropCounter, Rng, WakeCounter, effort, poll_future, spin, spin_while, test_in};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// Both receivers are sent to; both messages are received, one after the other.
#[test_in(alone)]
fn a_select_against_sends() {
    let make = |number: usize, drops: &DropCounter| {
        let ((one, first), (two, second)) = (oneshot(), stream());
        ((first, second), (one, two, drops.make(number as u64), drops.make(number as u64)))
    };
    let receive = |(first, second): (PortOne<Counted>, Port<Counted>)| {
        let (mut first, mut second) = (first, second);
        let (one, two) = select! {
            payload = first => (payload, second.recv()),
            payload = second => (first.recv(), payload),
        };
        assert_eq!(one.map(|payload| payload.number), two.map(|payload| payload.number));
    };
    counted_race(20_000, make, receive, |(one, mut two, first, second)| {
        if first.number.is_multiple_of(2) {
            assert!(one.send(first).is_ok() && two.send(second).is_ok());
        } else {
            assert!(two.send(second).is_ok() && one.send(first).is_ok());
        }
    });
}

#[test_in(alone)]
fn a_select_that_times_out_against_send_and_close() {
    let random = Mutex::new(Rng::with_seed(5));
    let make = |number: usize, drops: &DropCounter| {
        let ((one, first), (two, second)) = (stream(), stream());
        ((first, second), (one, two, drops.make(number as u64)))
    };
    let receive = |(mut first, mut second): (Port<Counted>, Port<Counted>)| {
        let (mut messages, mut open) = (0, [true; 2]);
        while open[0] || open[1] {
            let wait = Duration::from_nanos(random.lock().expect("it is never poisoned").u64(..3_000));
            select! {
                payload = first, if open[0] => match payload {
                    Ok(_) => messages += 1,
                    Err(RecvError) => open[0] = false,
                },
                payload = second, if open[1] => match payload {
                    Ok(_) => messages += 1,
                    Err(RecvError) => open[1] = false,
                },
                timeout(wait) => {}
                else => panic!("one is open"),
            }
        }
        assert_eq!(messages, 1);
    };
    counted_race(20_000, make, receive, |(mut one, two, payload)| {
        drop(two);
        assert!(one.send(payload).is_ok());
    });
}

/// Spurious polls, futures that are dropped in the middle, and new ones.
#[test_in(alone)]
fn an_async_select_that_is_dropped_against_sends() {
    let make = |number: usize, drops: &DropCounter| {
        let ((one, first), (two, second)) = (stream(), stream());
        ((first, second), (one, two, drops.make(number as u64), drops.make(number as u64)))
    };
    let receive = |(mut first, mut second): (Port<Counted>, Port<Counted>)| {
        let (_wakes, waker) = WakeCounter::new();
        let mut received = 0;
        spin_while(|| {
            let mut waiting = Box::pin(async {
                select_async! {
                    payload = first, if !first.is_closed() => payload,
                    payload = second, if !second.is_closed() => payload,
                    else => Err(RecvError),
                }
            });
            for waker in [&waker, Waker::noop(), &waker] {
                if let Poll::Ready(payload) = poll_future(&mut waiting, waker) {
                    received += usize::from(payload.is_ok());
                    break;
                }
            }
            received < 2
        });
    };
    counted_race(2_000, make, receive, |(mut one, mut two, first, second)| {
        assert!(one.send(first).is_ok() && two.send(second).is_ok());
    });
}

/// An offer is withdrawn while it is chosen: it is received or given back, and the selection does not wait
/// for another one.
#[test_in(alone)]
fn a_withdrawn_offer_against_default() {
    let (taken, back) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // All ends are kept: a selection that waited for another offer would hang.
    let (ports, chans) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let make = |number: usize, drops: &DropCounter| {
        let (chan, port) = sync_stream(0);
        (port, (chan, drops.make(number as u64)))
    };
    let look = |mut port: Port<Counted>| {
        let (_silent, mut other) = stream::<u64>();
        for _ in 0..4 {
            select! {
                payload = port => {
                    drop(payload.expect("no side has left"));
                    taken.fetch_add(1, Ordering::Relaxed);
                }
                number = other => panic!("{number:?} was not sent"),
                default => {}
            }
        }
        ports.lock().expect("it is never poisoned").push(port);
    };
    counted_race(20_000, make, look, |(mut chan, payload): (Chan<Counted>, Counted)| {
        let mut sending = chan.send_async(payload);
        // It is offered, if it was not taken at once.
        let _: Poll<_> = poll_future(&mut sending, Waker::noop());
        back.fetch_add(usize::from(sending.into_inner().is_some()), Ordering::Relaxed);
        chans.lock().expect("it is never poisoned").push(chan);
    });
    assert_eq!(taken.into_inner() + back.into_inner(), effort(20_000));
}

/// Both sides meet now and then, and both may give up: what was sent was received, and what came back was
/// not.
#[test_in(alone)]
fn a_rendezvous_of_impatient_sides() {
    for seed in 0..if cfg!(miri) { 1 } else { 4 } {
        let drops = DropCounter::new();
        let start = |sender| {
            let (mut chan, port) = sync_stream(0);
            let (mut random, drops) = (Rng::with_seed(seed * 2 + sender), drops.clone());
            let sending = thread::spawn(move || {
                let send = |number: &u64| {
                    let (payload, wait) = (drops.make(*number), Duration::from_nanos(random.u64(..8_000)));
                    chan.send_timeout(payload, wait).is_ok()
                };
                (0..if cfg!(miri) { 10 } else { 4_000 }).filter(send).sum::<u64>()
            });
            (sending, port)
        };
        let [(one, mut first), (two, mut second)] = [0, 1].map(start);
        let (mut received, mut open, mut random) = (0, [true; 2], Rng::with_seed(seed));
        loop {
            // Half of the time it only looks.
            let wait = Duration::from_nanos(random.u64(..2) * random.u64(..10_000));
            let payload: Result<Counted, RecvError> = select! {
                payload = first, if open[0] => { open[0] = payload.is_ok(); payload },
                payload = second, if open[1] => { open[1] = payload.is_ok(); payload },
                timeout(wait) => continue,
                else => break,
            };
            received += payload.map_or(0, |payload| payload.number);
        }
        let sent = [one, two].map(|sending| sending.join().expect("no sender panics"));
        assert_eq!(received, sent.iter().sum::<u64>());
        drops.assert_all_dropped();
    }
}

/// Ports that go from thread to thread, each of which selects over two of them: every message is received
/// once.
#[test_in(alone)]
fn ports_that_move_between_selecting_threads() {
    const PORTS: usize = 6;
    const MESSAGES: u64 = if cfg!(miri) { 4 } else { 500 };
    for seed in 0..if cfg!(miri) { 1 } else { 10 } {
        let drops = DropCounter::new();
        let (pool, open) = (Mutex::new(Vec::new()), AtomicUsize::new(PORTS));
        thread::scope(|scope| {
            for sender in 0..PORTS as u64 {
                let (mut chan, port) = stream();
                pool.lock().expect("no thread panics").push(port);
                let (drops, mut random) = (&drops, Rng::with_seed(seed + sender));
                scope.spawn(move || {
                    for number in 0..MESSAGES {
                        assert!(chan.send(drops.make(number)).is_ok(), "somebody has the port");
                        spin(random.u64(..300));
                    }
                });
            }
            let receivers: Vec<_> = (0..3).map(|_| scope.spawn(|| wander(&pool, &open))).collect();
            let sums = receivers.into_iter().map(|receiver| receiver.join().expect("no receiver panics"));
            assert_eq!(sums.sum::<u64>(), PORTS as u64 * (0..MESSAGES).sum::<u64>());
        });
        drops.assert_all_dropped();
    }
}

/// Takes ports out of the pool, selects over them, and puts them back, until none of them is open; returns
/// the sum of what it received.
fn wander(pool: &Mutex<Vec<Port<Counted>>>, open: &AtomicUsize) -> u64 {
    let mut sum = 0;
    while open.load(Ordering::Relaxed) > 0 {
        let (first, second) = {
            let mut pool = pool.lock().expect("no thread panics");
            // The port that was put back last goes to the bottom.
            let next = usize::from(!pool.is_empty());
            pool.rotate_left(next);
            (pool.pop(), pool.pop())
        };
        let lonely = second.is_none();
        let (Some(mut first), mut second) = (first, second.unwrap_or_else(|| stream().1)) else {
            thread::yield_now();
            continue;
        };
        let mut ended = [false, lonely];
        for _ in 0..5 {
            select! {
                payload = first, if !ended[0] => match payload {
                    Ok(payload) => sum += payload.number,
                    Err(RecvError) => ended[0] = true,
                },
                payload = second, if !ended[1] => match payload {
                    Ok(payload) => sum += payload.number,
                    Err(RecvError) => ended[1] = true,
                },
                timeout(Duration::from_micros(5)) => {}
                else => break,
            }
        }
        let closed = usize::from(ended[0]) + usize::from(ended[1] && !lonely);
        open.fetch_sub(closed, Ordering::Relaxed);
        let left = [(first, ended[0]), (second, ended[1])].into_iter().filter(|(_, ended)| !ended);
        pool.lock().expect("no thread panics").extend(left.map(|(port, _)| port));
    }
    sum
}
