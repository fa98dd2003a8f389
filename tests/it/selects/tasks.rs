//! `select_async!`: in tasks, with the timer of a runtime, and dropped in the middle.

use futures::executor::block_on;
use futures::future::{pending, ready};
use pipes::{Closed, PortSet, RecvError, oneshot, select_async, stream};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, Tally, poll_future, watched};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

#[test]
fn the_one_that_is_ready_first() {
    let ((one, mut first), (mut two, mut second)) = (oneshot::<u64>(), stream::<&str>());
    let (bell, waker) = Bell::new();
    {
        let mut waiting = Box::pin(async {
            select_async! {
                number = first => number.map(|number| number.to_string()),
                word = second => word.map(str::to_owned),
            }
        });
        assert!(poll_future(&mut waiting, &waker).is_pending());
        assert!(poll_future(&mut waiting, &waker).is_pending());
        assert_eq!(bell.rings(), 0);
        two.send("two").expect("it is waited for");
        assert_eq!(bell.rings(), 1);
        assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok("two".to_owned())));
    }
    drop(one);
}

#[test]
fn of_several_polls_the_last_waker_counts() {
    let ((one, mut first), (_two, mut second)) = (oneshot::<u64>(), stream::<u64>());
    let ((old, old_waker), (new, new_waker)) = (Bell::new(), Bell::new());
    let mut waiting = Box::pin(async {
        select_async! {
            number = first => number,
            number = second => number,
        }
    });
    for waker in [&old_waker, &new_waker, &old_waker, &new_waker] {
        assert!(poll_future(&mut waiting, waker).is_pending());
    }
    one.send(1).expect("it is waited for");
    assert_eq!((old.rings(), new.rings()), (0, 1));
    assert_eq!(old.wakers(), 1, "it was dropped wherever it was");
    assert_eq!(poll_future(&mut waiting, &new_waker), Poll::Ready(Ok(1)));
}

/// Dropped before a message came, and dropped after it was woken: nothing was received.
#[test]
fn it_is_cancel_safe() {
    let tally = Tally::new();
    for woken in [false, true] {
        let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
        let (bell, waker) = Bell::new();
        let mut waiting = Box::pin(async {
            select_async! {
                payload = first => payload,
                payload = second => payload,
            }
        });
        assert!(poll_future(&mut waiting, &waker).is_pending());
        if woken {
            assert!(two.send(tally.make(2)).is_ok());
        }
        assert_eq!(bell.rings(), usize::from(woken));
        drop(waiting);
        assert!(one.send(tally.make(1)).is_ok() && two.send(tally.make(3)).is_ok());
        let received: Vec<_> = second.try_iter().map(|payload| payload.number).collect();
        assert_eq!(received, if woken { vec![2, 3] } else { vec![3] });
        assert_eq!(first.try_recv().map(|payload| payload.number).ok(), Some(1));
    }
    tally.assert_all_gone();
}

#[test]
fn with_default() {
    let (mut chan, mut port) = stream();
    let mut look = || {
        let task = async {
            select_async! {
                number = port => number,
                default => Ok(0),
            }
        };
        poll_future(&mut Box::pin(task), Waker::noop())
    };
    assert_eq!(look(), Poll::Ready(Ok(0)));
    chan.send(1).expect("the port is here");
    assert_eq!(look(), Poll::Ready(Ok(1)));
    drop(chan);
    assert_eq!(look(), Poll::Ready(Err(RecvError)));
}

/// The timer is a future of any type, and loses against a receiver that is ready.
#[test]
fn with_a_timer() {
    watched(|| {
        block_on(async {
            let (mut chan, mut port) = stream();
            let late = select_async! { number = port => number, timeout(ready(())) => Ok(99) };
            assert_eq!(late, Ok(99));
            chan.send(1).expect("the port is here");
            assert_eq!(select_async! { number = port => number, timeout(ready("now")) => Ok(99) }, Ok(1));
            chan.send(2).expect("the port is here");
            assert_eq!(select_async! { timeout(pending::<()>()) => Ok(99), number = port => number }, Ok(2));
        });
    });
}

/// Another end of a pipe can be the timer: whatever it gives, the wait is over.
#[test]
fn a_port_as_the_timer() {
    let ((_chan, mut port), (bell_chan, bell_port)) = (stream::<u64>(), oneshot::<()>());
    let mut bell_port = Some(bell_port);
    let mut waiting = Box::pin(async {
        select_async! {
            number = port => number.is_ok(),
            timeout(bell_port.take().expect("it is asked once")) => false,
        }
    });
    let (bell, waker) = Bell::new();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    drop(bell_chan);
    assert_eq!(bell.rings(), 1);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(false));
}

#[test]
fn with_the_timer_of_a_runtime() {
    watched(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime can be had").block_on(async {
            let ((mut one, mut first), (_two, mut second)) = (stream(), stream::<u64>());
            let mut late = 0;
            for _ in 0..5 {
                select_async! {
                    number = first => panic!("nobody sent {number:?}"),
                    number = second => panic!("nobody sent {number:?}"),
                    timeout(tokio::time::sleep(Duration::from_micros(10))) => late += 1,
                }
            }
            assert_eq!(late, 5);
            let sending = thread::spawn(move || one.send(7));
            let got = select_async! {
                number = first => number,
                number = second => number,
                timeout(tokio::time::sleep(Duration::from_secs(1_000))) => panic!("it is sent"),
            };
            assert_eq!(got, Ok(7));
            assert_eq!(sending.join().expect("it does not panic"), Ok(()));
        });
    });
}

/// Endpoints and a set in one task, which serves until all clients have left.
#[test]
fn a_server() {
    watched(|| {
        let (mut joining, mut joined) = stream::<pingpong::Server<Ping<u64>>>();
        let clients: Vec<_> = (0..5_u64)
            .map(|number| {
                let (client, server) = pingpong::pipe();
                assert!(joining.send(server).is_ok());
                thread::spawn(move || {
                    let mut client = client;
                    for _ in 0..50 {
                        let Ok(Pong::Pong(answer, next)) = client.ping(number).expect("it is served").recv()
                        else {
                            panic!("it is served")
                        };
                        assert_eq!(answer, number * 2);
                        client = next;
                    }
                })
            })
            .collect();
        drop(joining);
        let served = block_on(async {
            let (mut set, mut served, mut open) = (PortSet::new(), 0, true);
            loop {
                select_async! {
                    server = joined, if open => match server {
                        Ok(server) => drop(set.insert(server)),
                        Err(RecvError) => open = false,
                    },
                    turn = set, if !set.is_empty() => match turn.expect("it has members") {
                        (key, Ok(Ping::Ping(number, answering))) => {
                            served += 1;
                            let next = answering.pong(number * 2).expect("it waits");
                            assert!(set.insert_at(key, next).is_none());
                        }
                        (_, Err(Closed)) => {}
                    },
                    else => break,
                }
            }
            served
        });
        assert_eq!(served, 250);
        clients.into_iter().for_each(|client| client.join().expect("no client panics"));
    });
}

/// A future that contains a `select_async!` is `Send`.
#[test]
fn it_is_send() {
    fn sendable<F: Future + Send>(future: F) -> F {
        future
    }
    let ((one, first), (_two, second)) = (oneshot::<u64>(), stream::<String>());
    let task = sendable(async move {
        let (mut first, mut second) = (first, second);
        select_async! {
            number = first => number.is_ok(),
            word = second => word.is_ok(),
            timeout(pending::<()>()) => false,
        }
    });
    one.send(1).expect("it is waited for");
    assert!(thread::spawn(move || block_on(task)).join().expect("it does not panic"));
}
