//! Futures that own ends of all kinds, which a set of futures, two threads in turn, or a stage for several at a time polls, and drops in the middle, at any moment;
//! while the other side is at it in a thread. Each value is dropped once, and the other sides come to their end.

use futures::future::{Either, select};
use futures::stream::FuturesUnordered;
use futures::{SinkExt, StreamExt, TryStreamExt};
use pipes::skeleton::{Cancel, from_iter};
use pipes::{Eventual, PortSet, SharedChan, duplex_stream, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, effort, watched};
use std::future::Future;
use std::panic::panic_any;
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::task::Context;
use std::thread;
use std::time::Duration;

pipes::proto! {
    exchange<T: Send> {
        asking: send { ask(T) -> answering, more([T; 2]) -> asking, last(T) -> ! }
        answering: recv { answer(T) -> asking, none -> ! }
    }
}

type Job = Pin<Box<dyn Future<Output = usize> + Send>>;
type OtherSide = Box<dyn FnOnce(Random) + Send>;

const KINDS: u64 = 10;
const JOBS: u64 = if cfg!(miri) { 5 } else { 12 };
const MOMENT: Duration = Duration::from_micros(20);

/// A future, and what runs against it.
fn job(tally: &Tally, lot: &mut Random) -> (Job, OtherSide) {
    let (kind, room, tally, own) = (lot.below(KINDS), lot.below(3) as usize, tally.clone(), tally.clone());
    let few = lot.below(4);
    match kind {
        0 => {
            let (mut chan, mut port) = stream();
            let future = async move {
                let mut count = 0;
                while port.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            (Box::pin(future), Box::new(move |_| (0..few).for_each(|n| drop(chan.send(tally.make(n))))))
        }
        1 => {
            let (mut chan, mut port) = sync_stream(room);
            let future = async move {
                let mut count = 0;
                while chan.send_async(own.make(7)).await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |mut lot: Random| {
                for _ in 0..few {
                    drop(if lot.below(2) == 0 { port.recv_timeout(MOMENT).ok() } else { port.try_recv().ok() });
                }
            };
            (Box::pin(future), Box::new(other))
        }
        2 => {
            let (chan, port) = shared_stream();
            let mut port = port.into_shared();
            let mut other_port = port.clone();
            let future = async move {
                let mut count = 0;
                while port.recv_async().await.is_ok() {
                    count += 1;
                }
                while port.next().await.is_some() {}
                count
            };
            let other = move |mut lot: Random| {
                for number in 0..few {
                    drop(chan.send(tally.make(number)));
                    lot.dawdle(200);
                    drop(other_port.recv_timeout(MOMENT));
                }
            };
            (Box::pin(future), Box::new(other))
        }
        3 => {
            let (chans, ports): (Vec<SharedChan<Counted>>, Vec<_>) = (0..3).map(|_| shared_stream()).unzip();
            let mut set: PortSet<_> = ports.into_iter().collect();
            let future = async move {
                let mut count = 0;
                while set.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |mut lot: Random| {
                for number in 0..few {
                    drop(chans[lot.below(3) as usize].send(tally.make(number)));
                }
            };
            (Box::pin(future), Box::new(other))
        }
        4 => {
            let (chan, port) = oneshot();
            let future = async move { usize::from(Eventual::from(port).await.is_ok()) };
            (Box::pin(future), Box::new(move |_| drop((few > 0).then(|| chan.send(tally.make(1))))))
        }
        5 => {
            let (mut client, server) = exchange::pipe();
            let future = async move {
                let mut count = 0;
                loop {
                    let Ok(next) = client.more([own.make(1), own.make(2)]) else { return count };
                    let Ok(asked) = next.ask(own.make(3)) else { return count };
                    let Ok(exchange::Answering::Answer(_, next)) = asked.recv_async().await else {
                        return count;
                    };
                    client = next;
                    count += 1;
                }
            };
            let other = move |mut lot: Random| {
                let mut server = server;
                while let Ok(message) = server.recv() {
                    server = match message {
                        exchange::Asking::Ask(value, next) if lot.below(3) > 0 => match next.answer(value) {
                            Ok(next) => next,
                            Err(_) => return,
                        },
                        exchange::Asking::Ask(_, next) => {
                            let _ = next.none();
                            return;
                        }
                        exchange::Asking::More(_, next) => next,
                        exchange::Asking::Last(_) => return,
                    };
                    if lot.below(6) == 0 {
                        return;
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        6 => {
            let (mut here, mut there) = duplex_stream();
            let future = async move {
                let mut count = 0;
                while here.send(own.make(count as u64)).is_ok() && here.recv_async().await.is_ok() {
                    count += 1;
                }
                count
            };
            let other = move |_| {
                for _ in 0..few {
                    if there.recv().and_then(|value| there.send(value).map_err(|_| pipes::RecvError)).is_err() {
                        return;
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        7 => {
            let (mut chan, mut port) = sync_stream(room);
            let future = async move {
                drop(chan.try_send(own.make(1)));
                chan.closed().await;
                usize::from(chan.send_async(own.make(2)).await.is_err())
            };
            (Box::pin(future), Box::new(move |_| drop(port.recv_timeout(MOMENT))))
        }
        8 => {
            let ((mut chan, mut port), (mut give, mut take)) = (stream(), sync_stream(room));
            let future = async move {
                let mut count = 0;
                loop {
                    let ended = match select(port.ready(), give.send_async(own.make(9))).await {
                        Either::Left((_, sending)) => {
                            drop(sending.into_inner());
                            port.try_recv().is_err()
                        }
                        Either::Right((sent, _)) => sent.is_err(),
                    };
                    if ended {
                        return count;
                    }
                    count += 1;
                }
            };
            let other = move |mut lot: Random| {
                for number in 0..2 * few {
                    if lot.below(2) == 0 {
                        drop(chan.send(tally.make(number)));
                    } else {
                        drop(take.recv_timeout(MOMENT));
                    }
                }
            };
            (Box::pin(future), Box::new(other))
        }
        _ => {
            let ((chan, port), (sink, mut end)) = (shared_stream(), sync_stream(room));
            let future = async move {
                let forwarded = port.map(Ok).try_for_each_concurrent(None, |value: Counted| async move {
                    drop(value);
                    Ok::<_, ()>(())
                });
                let mut sink = sink;
                let fed = sink.feed(own.make(5)).await.is_ok();
                drop(sink.close().await);
                forwarded.await.is_ok() as usize + usize::from(fed)
            };
            let other = move |_| {
                for number in 0..few {
                    drop(chan.send(tally.make(number)));
                    drop(end.recv_timeout(MOMENT));
                }
            };
            (Box::pin(future), Box::new(other))
        }
    }
}

/// Jobs, with their other sides in two threads.
fn jobs(tally: &Tally, lot: &mut Random) -> (Vec<Job>, Vec<thread::JoinHandle<()>>) {
    let (mut jobs, mut threads) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let (own, others): (Vec<_>, Vec<_>) = (0..JOBS / 2).map(|_| job(tally, lot)).unzip();
        let own_lot = Random::new(lot.below(1 << 40));
        jobs.extend(own);
        threads.push(thread::spawn(move || {
            others.into_iter().for_each(|other| other(own_lot.clone()));
        }));
    }
    (jobs, threads)
}

/// What is polled here and there.
type Set = FuturesUnordered<Job>;

fn poll_some(set: &mut Set, lot: &mut Random, back: Option<&Sender<Job>>) {
    let (bell, waker) = Bell::new();
    for _ in 0..lot.below(3 * JOBS) {
        let _ = set.poll_next_unpin(&mut Context::from_waker(&waker));
        lot.dawdle(300);
        if lot.below(8) == 0 {
            thread::yield_now();
        }
        // One leaves the set and is polled alone, or goes back, by another waker.
        if let (0, Some(back)) = (lot.below(6), back)
            && let Some(mut job) = std::mem::take(set).into_iter().fold(None, |one: Option<Job>, job| {
                one.map(|one| set.push(one));
                Some(job)
            })
            && job.as_mut().poll(&mut Context::from_waker(&waker)).is_pending()
        {
            drop(back.send(job));
        }
    }
    drop(bell);
}

fn in_two_threads(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (futures, threads) = jobs(&tally, &mut lot);
    let mut set: Set = futures.into_iter().collect();
    let (back, more) = channel();
    poll_some(&mut set, &mut lot, Some(&back));
    let mut other_lot = Random::new(seed + 1);
    let other = thread::spawn(move || {
        poll_some(&mut set, &mut other_lot, None);
        if other_lot.below(2) == 0 { set.clear() }
        set
    });
    drop(back);
    let mut rest: Set = more.into_iter().collect();
    poll_some(&mut rest, &mut lot, None);
    drop(rest);
    drop(other.join().expect("it only polls"));
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    tally.assert_all_gone();
}

fn in_a_stage(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (futures, threads) = jobs(&tally, &mut lot);
    let (cancel, fuse, taken) = (Cancel::new(), lot.below(3 * JOBS), lot.below(2 * JOBS));
    let mut number = 0;
    let pipeline = from_iter(futures).concurrent(1 + lot.below(JOBS) as usize, move |job| {
        number += 1;
        let number = number;
        async move {
            let count = job.await;
            if number == fuse {
                panic_any(number);
            }
            count
        }
    });
    let pipeline = if lot.below(2) == 0 { pipeline.in_order() } else { pipeline };
    let (port, running) = pipeline.cancelled_by(&cancel).into_port();
    let own = tally.clone();
    let canceller = thread::spawn(move || {
        lot.dawdle(30_000);
        if lot.below(2) == 0 {
            cancel.cancel();
        }
        drop(own);
    });
    let came = port.into_iter().take(taken as usize).count();
    drop(running);
    canceller.join().expect("it only cancels");
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    assert!(came as u64 <= JOBS);
    tally.assert_all_gone();
}

#[test]
fn polled_here_and_there() {
    watched(|| (0..if cfg!(miri) { 6 } else { effort(3000) as u64 }).for_each(in_two_threads));
}

#[test]
fn polled_by_a_stage() {
    watched(|| (0..if cfg!(miri) { 4 } else { effort(2000) as u64 }).for_each(in_a_stage));
}
