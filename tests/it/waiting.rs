//! Waiters: which waker is kept, and threads and tasks on one pipe.

use futures::executor::block_on;
use pipes::{Readiness, Receive, RecvOrError};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, poll, poll_future, watched};
use std::future::{Future, pending, ready};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn the_last_of_several_wakers_is_woken() {
    let (chan, mut port) = pipes::stream();
    let mut chan = chan;
    let bells: Vec<_> = (0..5).map(|_| Bell::new()).collect();
    for round in 1..=3 {
        for (_, waker) in &bells {
            assert!(poll(&mut port, waker).is_pending());
        }
        chan.send(round).unwrap();
        for (bell, _) in &bells[..4] {
            assert_eq!((bell.rings(), bell.wakers()), (0, 1), "it was replaced, and nothing of it is kept");
        }
        assert_eq!((bells[4].0.rings(), bells[4].0.wakers()), (round, 1));
        assert_eq!(port.recv(), Ok(round));
    }
}

#[test]
fn the_same_waker_is_not_cloned_again() {
    let (bell, waker) = Bell::new();
    let (_chan, mut port) = pipes::stream::<u64>();
    for _ in 0..10 {
        assert!(poll(&mut port, &waker).is_pending());
        assert_eq!(bell.wakers(), 2);
    }
    let clone = waker.clone();
    assert!(poll(&mut port, &clone).is_pending());
    assert_eq!(bell.wakers(), 3, "a clone wakes the same task");
}

/// A port is polled for readiness, read without waiting, and polled again: each message wakes once.
#[test]
fn one_ring_a_message() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = pipes::stream();
    for round in 0..100 {
        assert!(poll(&mut port, &waker).is_pending());
        chan.send(round).unwrap();
        chan.send(round).unwrap();
        assert_eq!(bell.rings(), round + 1, "the second message finds nobody waiting");
        assert_eq!((port.try_recv(), port.try_recv()), (Ok(round), Ok(round)));
    }
    assert_eq!(bell.wakers(), 1);
}

#[test]
fn a_dropped_ready_loses_nothing() {
    let (bell, waker) = Bell::new();
    let (client, mut server) = pingpong::pipe();
    for _ in 0..3 {
        let mut ready = server.ready();
        assert!(poll_future(&mut ready, &waker).is_pending());
    }
    let _client = client.ping(1).unwrap();
    assert_eq!(bell.rings(), 1);
    drop(server.ready());
    assert!(poll_future(&mut server.ready(), &waker).is_ready());
    assert!(matches!(server.recv(), Ok(Ping::Ping(1, _))));
}

#[test]
fn polled_by_a_task_and_received_by_a_thread() {
    watched(|| {
        let (bell, waker) = Bell::new();
        let (client, mut server) = pingpong::pipe();
        assert!(poll(&mut server, &waker).is_pending());
        let thread = thread::spawn(move || {
            let Ok(Ping::Ping(number, server)) = server.recv() else { panic!("it is sent") };
            server.bye(number + 1).unwrap();
        });
        let client = client.ping(1).unwrap();
        assert!(matches!(client.recv(), Ok(Pong::Bye(2))));
        thread.join().unwrap();
        assert_eq!(bell.wakers(), 1);
        assert!(bell.rings() <= 1, "whoever waits when the message comes is woken, nobody else");
    });
}

#[test]
fn a_thread_gives_up_and_a_task_goes_on() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = pipes::stream();
    for round in 0..50 {
        assert!(port.recv_timeout(Duration::from_nanos(1)).is_err());
        assert!(poll(&mut port, &waker).is_pending());
        chan.send(round).unwrap();
        assert_eq!(bell.rings(), round + 1);
        assert_eq!(port.recv(), Ok(round));
    }
}

#[test]
fn a_blocking_client_and_an_async_server() {
    watched(|| {
        let (mut client, mut server) = pingpong::pipe();
        let serving = thread::spawn(move || {
            block_on(async {
                while let Ok(Ping::Ping(number, answering)) = server.await {
                    server = answering.pong(number + 1).unwrap();
                }
            });
        });
        for number in 0..1_000_u64 {
            let Ok(Pong::Pong(answer, next)) = client.ping(number).unwrap().recv() else {
                panic!("the server serves")
            };
            assert_eq!(answer, number + 1);
            client = next;
        }
        drop(client);
        serving.join().unwrap();
    });
}

/// Threads and tasks by turns, on both ends of one pipe.
#[test]
fn all_ways_of_waiting_by_turns() {
    watched(|| {
        let (mut client, mut server) = pingpong::pipe();
        let serving = thread::spawn(move || {
            for round in 0.. {
                let message = match round % 3 {
                    0 => server.recv(),
                    1 => block_on(async { server.await }),
                    _ => {
                        block_on(server.ready());
                        assert!(server.is_ready() || server.is_closed());
                        server.try_recv().map_err(|_| pipes::RecvError)
                    }
                };
                let Ok(Ping::Ping(number, answering)) = message else { return round };
                server = answering.pong(number).unwrap();
            }
            0
        });
        for round in 0..600 {
            let mut waiting = client.ping(round).unwrap();
            let answer = match round % 4 {
                0 => waiting.recv(),
                1 => block_on(waiting.recv_async()),
                2 => waiting.recv_timeout(Duration::MAX).map_err(|_| pipes::RecvError),
                _ => {
                    assert!(waiting.wait(None));
                    waiting.recv()
                }
            };
            let Ok(Pong::Pong(number, next)) = answer else { panic!("the server serves") };
            assert_eq!(number, round);
            client = next;
        }
        drop(client);
        assert_eq!(serving.join().unwrap(), 600);
    });
}

/// A thread that was unparked for another reason parks again.
#[test]
fn foreign_unparks_are_no_messages() {
    watched(|| {
        let (chan, port) = pipes::oneshot();
        let receiving = thread::spawn(move || {
            thread::current().unpark();
            port.recv()
        });
        for _ in 0..100 {
            receiving.thread().unpark();
        }
        chan.send(1).unwrap();
        assert_eq!(receiving.join().unwrap(), Ok(1));
    });
}

#[test]
fn foreign_unparks_do_not_end_a_deadline() {
    watched(|| {
        let (_chan, mut port) = pipes::stream::<u64>();
        let deadline = Instant::now() + Duration::from_millis(5);
        thread::current().unpark();
        assert!(!port.wait(Some(deadline)));
        assert!(Instant::now() >= deadline, "a wait ends with its deadline, not before");
    });
}

/// A waker that counts its clones and its drops: each is dropped once.
#[test]
fn every_waker_is_dropped_once() {
    struct Task(AtomicUsize);
    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let task = Arc::new(Task(AtomicUsize::new(0)));
    for shape in 0..5 {
        let (chan, mut port) = pipes::oneshot();
        let waker = Waker::from(task.clone());
        assert!(poll(&mut port, &waker).is_pending());
        match shape {
            0 => drop(port),
            1 => drop(chan),
            2 => chan.send(1).unwrap(),
            3 => {
                chan.send(1).unwrap();
                assert_eq!(port.recv(), Ok(1));
            }
            _ => {
                drop(chan);
                assert!(port.recv().is_err());
            }
        }
        drop(waker);
        assert_eq!(Arc::strong_count(&task), 1, "shape {shape}");
    }
    assert_eq!(task.0.load(Ordering::SeqCst), 4);
}

/// A receive beside another future: the message comes first, then the other future, which gives the endpoint
/// back.
#[test]
fn a_receive_or_another_future() {
    let (chan, port) = pipes::oneshot();
    let (bell, waker) = Bell::new();
    let mut receive = pin!(port.recv_or(pending::<()>()));
    let mut cx = Context::from_waker(&waker);
    assert!(receive.as_mut().poll(&mut cx).is_pending());
    chan.send(1).expect("the port is here");
    assert_eq!(bell.rings(), 1);
    assert!(matches!(receive.as_mut().poll(&mut cx), Poll::Ready(Ok(1))));

    let (chan, port) = pipes::oneshot();
    let Err(RecvOrError::Other(port, "stop")) = block_on(port.recv_or(ready("stop"))) else {
        panic!("nothing was sent");
    };
    chan.send(2).expect("the port was given back");
    assert_eq!(block_on(port.recv_or(ready("stop"))).ok(), Some(2), "both are ready");

    let (chan, port) = pipes::oneshot::<u8>();
    drop(chan);
    assert!(matches!(block_on(port.recv_or(pending::<()>())), Err(RecvOrError::Closed)));
}

/// Two receives side by side lose no message, also where one of them gives way.
#[test]
fn a_receive_or_another_receive_loses_nothing() {
    let ((mut left, mut port), (mut right, mut other)) = (pipes::stream(), pipes::stream());
    for number in 0..1_000 {
        left.send(number).expect("the port is here");
        right.send(number).expect("the port is here");
    }
    drop((left, right));
    let mut received = (Vec::new(), Vec::new());
    block_on(async {
        loop {
            match port.recv_or(other.recv_async()).await {
                Ok(number) => received.0.push(number),
                Err(RecvOrError::Other((), number)) => received.1.extend(number),
                Err(RecvOrError::Closed) => break,
            }
        }
    });
    received.1.extend(other);
    assert!(received.0.iter().eq(&received.1) && received.0.into_iter().eq(0..1_000));
}

/// A port is borrowed, also when the future is dropped; so is a set.
#[test]
fn a_receive_of_a_port_or_another_future() {
    let (mut chan, mut port) = pipes::stream();
    assert_eq!(block_on(port.recv_or(ready(7))), Err(RecvOrError::Other((), 7)));
    assert!(poll_future(&mut Box::pin(port.recv_or(pending::<()>())), Waker::noop()).is_pending());
    chan.send(1).expect("the port is here");
    assert_eq!(block_on(port.recv_or(ready(7))), Ok(1));

    let mut set = pipes::PortSet::new();
    let key = set.insert(port);
    let Err(RecvOrError::Other(set, 7)) = block_on(Receive::recv_or(&mut set, ready(7))) else {
        panic!("nothing was sent");
    };
    chan.send(2).expect("the set is here");
    assert_eq!(block_on(Receive::recv_or(set, ready(7))).ok(), Some((key, Ok(2))));
}
