//! One port is waited for in turns: by tasks whose wakers come and go, by threads, in time and too late, and
//! by both on one thread. Each message must come once, in order.

use super::executor::{run, task};
use futures::StreamExt;
use futures::executor::block_on;
use pipes::{Either, Port, PortSet, oneshot, select_async, select2, shared_stream, stream, sync_stream};
use pipes_tests::{Random, effort, poll, poll_future, watched};
use std::sync::mpsc::channel;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

const MESSAGES: usize = effort(4_000);

/// Receives one message in a random way, after other receives that were given up. Returns `None` if the
/// stream is closed.
fn receive(port: &mut Port<usize>, random: &mut Random) -> Option<usize> {
    loop {
        match random.below(8) {
            0 => {
                let _ready = poll(port, Waker::noop());
            }
            1 => match port.recv_timeout(Duration::from_nanos(random.below(2_000))) {
                Ok(number) => return Some(number),
                Err(pipes::RecvTimeoutError::Closed) => return None,
                Err(pipes::RecvTimeoutError::Timeout(())) => {}
            },
            2 => {
                if let Poll::Ready(got) = poll_future(&mut port.recv_async(), Waker::noop()) {
                    return got.ok();
                }
            }
            3 => return block_on(port.next()),
            4 => return port.recv().ok(),
            5 => return block_on(async { port.recv_async().await.ok() }),
            6 => {
                let (_silent, silent) = oneshot::<usize>();
                match select2(&mut *port, silent) {
                    Either::Left((message, _)) => return message.ok(),
                    Either::Right(_) => panic!("nothing was sent there"),
                }
            }
            _ => {
                let mut set = PortSet::new();
                let (_silent, silent) = stream();
                set.insert(silent);
                let place = std::mem::replace(port, stream().1);
                let key = set.insert(place);
                let got = set.recv_timeout(Duration::from_nanos(random.below(2_000)));
                *port = set.remove(&key)?;
                if let Ok((_, Ok(number))) = got {
                    return Some(number);
                }
            }
        }
    }
}

/// Runs one kind of stream; the port is handed from thread to thread after some messages.
fn in_turns(seed: u64, kind: usize) {
    let (port, sender) = {
        let number = 0..MESSAGES;
        match kind {
            0 => {
                let (mut chan, port) = stream();
                (
                    port,
                    thread::spawn(move || {
                        number.for_each(|number| chan.send(number).expect("it is received"))
                    }),
                )
            }
            1 => {
                let (chan, port) = shared_stream();
                (
                    port,
                    thread::spawn(move || {
                        number.for_each(|number| chan.send(number).expect("it is received"))
                    }),
                )
            }
            capacity => {
                let (mut chan, port) = sync_stream(capacity - 2);
                (
                    port,
                    thread::spawn(move || {
                        number.for_each(|number| chan.send(number).expect("it is received"))
                    }),
                )
            }
        }
    };
    let mut port = port;
    let mut random = Random::new(seed);
    let mut next = 0;
    while next <= MESSAGES {
        let stretch = 1 + random.below(40);
        let seed = random.below(u64::MAX);
        (port, next) = thread::spawn(move || {
            let mut random = Random::new(seed);
            for _ in 0..stretch {
                let got = receive(&mut port, &mut random);
                assert_eq!(got, (next < MESSAGES).then_some(next));
                next += 1;
                if got.is_none() {
                    break;
                }
            }
            (port, next)
        })
        .join()
        .expect("nothing is lost");
    }
    sender.join().expect("it does not panic");
}

#[test]
fn a_port_that_is_waited_at_in_turns() {
    for kind in 0..4 {
        watched(move || in_turns(7 + kind as u64, kind));
    }
}

/// A task blocks its thread in the middle of a poll, and then waits as a task again. The executor and the
/// blocking wait use the same `unpark` token of the thread.
#[test]
fn a_poll_that_blocks() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let (mut ask, mut asked) = stream();
        let serves = thread::spawn(move || {
            for number in 0..MESSAGES {
                if asked.recv().is_err() {
                    return;
                }
                chan.send(number).expect("it is received");
            }
        });
        block_on(async move {
            for number in 0..MESSAGES {
                ask.send(()).expect("it is served");
                let got = if number % 2 == 0 { port.recv() } else { port.recv_async().await };
                assert_eq!(got, Ok(number));
            }
        });
        serves.join().expect("it does not panic");
    });
}

/// Tasks pass one port around, polled and given up, on an executor that polls only tasks that were woken.
#[test]
fn a_polled_port_that_moves_to_another_task() {
    watched(|| {
        let (mut relay, mut relayed) = stream();
        let (chan, mut port) = shared_stream();
        let (go, gone) = oneshot();
        let first = task(async move {
            let (_never, never) = oneshot::<()>();
            let (now, mut at_once) = oneshot();
            now.send(()).expect("it is here");
            select_async! {
                message = port => panic!("nothing was sent: {message:?}"),
                done = at_once => assert_eq!(done, Ok(())),
            }
            drop(never);
            relay.send(port).unwrap_or_else(|_| panic!("it is waited for"));
        });
        let second = task(async move {
            let mut port = relayed.recv_async().await.expect("it comes");
            // Polled here before there is a message.
            let mut both = Box::pin(async move { port.next().await });
            let polled = futures::poll!(both.as_mut());
            assert!(polled.is_pending());
            go.send(()).expect("it is waited for");
            assert_eq!(both.await, Some(3));
        });
        let third = task(async move {
            gone.await.expect("it comes");
            chan.send(3).expect("it is waited for");
        });
        run([first, second, third]);
    });
}

/// Tasks of one thread receive what other threads send to them in no fixed order.
#[test]
fn many_tasks_that_are_polled_only_when_they_are_woken() {
    watched(|| {
        let (mut chans, ports): (Vec<_>, Vec<_>) = (0..50).map(|_| sync_stream::<usize>(1)).unzip();
        let (counted, counts) = channel();
        let tasks = ports.into_iter().map(|mut port| {
            let counted = counted.clone();
            task(async move {
                let mut sum = 0;
                while let Ok(number) = port.recv_async().await {
                    sum += number;
                }
                counted.send(sum).expect("it is waited for");
            })
        });
        let sender = thread::spawn(move || {
            for round in 0..effort(200) {
                chans.iter_mut().for_each(|chan| chan.send(round).expect("it is received"));
            }
        });
        run(tasks);
        drop(counted);
        let sum: usize = (0..effort(200)).sum();
        assert!(counts.iter().all(|counted| counted == sum));
        sender.join().expect("it does not panic");
    });
}
