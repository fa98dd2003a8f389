//! Sets in tasks, and as streams of `futures`.

use super::streams;
use futures::executor::block_on;
use futures::{StreamExt, join};
use pipes::{Closed, PortSet, SetEmpty, oneshot};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, poll_future, watched};
use std::pin::pin;
use std::task::Poll;
use std::thread;
use std::time::Duration;

#[test]
fn a_stream_ends_when_there_are_no_members() {
    watched(|| {
        let (mut chans, set) = streams(3);
        for (number, chan) in chans.iter_mut().enumerate() {
            chan.send(number).expect("the set is here");
        }
        drop(chans);
        let turns: Vec<_> = block_on(set.collect());
        let messages = (0..3).map(|number| (number, Ok(number)));
        assert_eq!(turns, messages.chain((0..3).map(|number| (number, Err(Closed)))).collect::<Vec<_>>());
    });
}

#[test]
fn the_end_of_a_stream_is_not_for_good() {
    watched(|| {
        let mut set = PortSet::new();
        block_on(async {
            for number in 0..3 {
                assert_eq!(set.next().await, None);
                let (chan, port) = oneshot();
                let key = set.insert(port);
                chan.send(number).expect("the set is here");
                assert_eq!(set.next().await, Some((key, Ok(number))));
            }
        });
    });
}

/// A set is `Unpin`, so that it can be used as a stream without pinning.
#[test]
fn a_set_is_unpin() {
    fn unpin<S: futures::Stream + Unpin>(_: &S) {}
    let set = PortSet::<pipes::Port<std::marker::PhantomPinned>>::new();
    unpin(&set);
    assert!(set.is_empty());
}

#[test]
fn a_task_waits_and_is_woken_once() {
    let (mut chans, mut set) = streams(3);
    let (bell, waker) = Bell::new();
    let mut receiving = pin!(async {
        let mut seen = Vec::new();
        while seen.len() < 4 {
            seen.push(set.recv_async().await);
        }
        seen
    });
    assert!(poll_future(&mut receiving, &waker).is_pending());
    assert_eq!(bell.rings(), 0);
    for number in [2, 0, 1] {
        chans[number].send(number).expect("the set is here");
    }
    assert_eq!(bell.rings(), 1, "it is awake");
    assert!(poll_future(&mut receiving, &waker).is_pending());
    chans[0].send(7).expect("the set is here");
    assert_eq!(bell.rings(), 2);
    let seen = [(2, Ok(2)), (0, Ok(0)), (1, Ok(1)), (0, Ok(7))].map(Ok::<_, SetEmpty>);
    assert_eq!(poll_future(&mut receiving, &waker), Poll::Ready(seen.to_vec()));
}

/// One task serves the others.
#[test]
fn a_server_of_tasks() {
    watched(|| {
        let (clients, servers): (Vec<_>, Vec<_>) = (0..5).map(|_| pingpong::pipe()).unzip();
        let mut set: PortSet<_> = servers.into_iter().collect();
        let calling = clients.into_iter().map(async |mut client: pingpong::Client<Ping<u64>>| {
            for round in 0..100 {
                let waiting = client.ping(round).expect("the server serves");
                let Ok(Pong::Pong(answer, next)) = waiting.await else { panic!("the server answers") };
                assert_eq!(answer, round + 1);
                client = next;
            }
        });
        let serving = async {
            let mut served = 0;
            while let Ok((key, message)) = set.recv_async().await {
                let Ok(Ping::Ping(number, answering)) = message else { continue };
                let next = answering.pong(number + 1).expect("the client waits");
                assert!(set.insert_at(key, next).is_none());
                served += 1;
            }
            served
        };
        let (served, _) = block_on(async { join!(serving, futures::future::join_all(calling)) });
        assert_eq!(served, 500);
    });
}

/// A wait that is cancelled by a timeout loses nothing.
#[test]
fn a_wait_that_is_given_up() {
    watched(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime can be had").block_on(async {
            let (mut chans, mut set) = streams(2);
            for number in 0..20 {
                let late = tokio::time::timeout(Duration::from_micros(10), set.recv_async()).await;
                assert!(late.is_err(), "nobody has sent");
                chans[number % 2].send(number).expect("the set is here");
                let in_time = tokio::time::timeout(Duration::from_secs(1_000), set.recv_async()).await;
                assert_eq!(in_time, Ok(Ok((number % 2, Ok(number)))));
            }
        });
    });
}

/// Threads send, a `tokio` task receives, and then a thread receives from the same set.
#[test]
fn between_threads_and_tasks() {
    watched(|| {
        let (chans, mut set) = streams(4);
        let senders: Vec<_> = (chans.into_iter().enumerate())
            .map(|(sender, mut chan)| {
                thread::spawn(move || {
                    (0..500).for_each(|number| chan.send((sender, number)).expect("the set is there"));
                })
            })
            .collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be had");
        let (mut next, mut closes) = ([0; 4], 0);
        let mut check = |(key, message): (usize, Result<(usize, usize), Closed>)| match message {
            Ok((sender, number)) => {
                assert_eq!((sender, number), (key, next[key]));
                next[key] += 1;
            }
            Err(Closed) => closes += 1,
        };
        runtime.block_on(async {
            for _ in 0..1_000 {
                check(set.recv_async().await.expect("there are members"));
            }
        });
        while let Ok(turn) = set.recv() {
            check(turn);
        }
        assert_eq!((next, closes), ([500; 4], 4));
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}
