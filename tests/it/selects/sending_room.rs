//! Room that an arm has reserved, and what becomes of it: sent into, or given back to the other senders.

use crate::acceptance::Sleeper;
use futures::Sink;
use pipes::{SharedChan, TrySendError, oneshot, select, select_async, shared_sync_stream, stream};
use pipes_tests::{Bell, Tally, caught, poll_future, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

/// Asserts that exactly this much room is free.
#[track_caller]
fn assert_free<T>(chan: &SharedChan<T>, room: usize) {
    let permits: Vec<_> = (0..room).map(|_| chan.try_reserve().expect("there is room")).collect();
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())), "there is no more room than that");
    drop(permits);
}

/// Which arm of a task runs that was granted room while a message came: if the other one, room goes back.
#[test]
fn another_arm_is_chosen() {
    watched(|| {
        let mut chosen = [0; 2];
        for number in 0..100 {
            let ((mut chan, mut port), (word, mut words)) = (shared_sync_stream(1), oneshot());
            chan.send(0).expect("the port is here");
            let (_bell, waker) = Bell::new();
            {
                let mut waiting = Box::pin(async {
                    select_async! {
                        sent = chan.send(number) => sent.map(|()| 0).expect("the port is here"),
                        word = words => {
                            // Before the arm runs, it has gone back.
                            chan.try_send(number).expect("there is room again");
                            word.expect("it was sent")
                        }
                    }
                });
                assert!(poll_future(&mut waiting, &waker).is_pending());
                assert_eq!(port.recv(), Ok(0));
                word.send(1).expect("it is waited for");
                let Poll::Ready(arm) = poll_future(&mut waiting, &waker) else { panic!("both are ready") };
                chosen[arm] += 1;
            }
            assert_eq!(port.recv(), Ok(number));
            assert_free(&chan, 1);
        }
        assert!(chosen.iter().all(|count| *count >= 20), "{chosen:?}");
    });
}

/// A place in the line is given up: the next sender gets the room.
#[test]
fn another_arm_is_chosen_while_it_waits() {
    watched(|| {
        let ((chan, mut port), (mut word, mut words)) = (shared_sync_stream(1), stream());
        chan.send(1).expect("the port is here");
        let mut other = chan.clone();
        let selecting = Sleeper::spawn(move || {
            let heard = select! {
                sent = other.send(2) => panic!("there is no room: {sent:?}"),
                word = words => word,
            };
            let late = select! {
                sent = other.send(3) => panic!("there is no room: {sent:?}"),
                word = words => word,
                timeout(Duration::from_micros(50)) => Ok("late"),
            };
            (heard, late, other)
        });
        selecting.fall_asleep();
        let mut sending = chan.send_async(4);
        assert!(poll_future(&mut sending, Waker::noop()).is_pending());
        word.send("word").expect("it waits");
        let (heard, late, _other) = selecting.join().expect("it does not panic");
        assert_eq!((heard, late), (Ok("word"), Ok("late")));
        assert_eq!(port.recv(), Ok(1));
        assert_eq!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Ok(())));
        assert_eq!(port.recv(), Ok(4));
        assert_free(&chan, 1);
    });
}

/// A task is dropped while it waits in the line, or after it was granted room.
#[test]
fn a_task_is_dropped() {
    watched(|| {
        for granted in [false, true] {
            let (mut chan, mut port) = shared_sync_stream(1);
            chan.send(1).expect("the port is here");
            let (bell, waker) = Bell::new();
            let (next, next_waker) = Bell::new();
            let other = chan.clone();
            let mut waiting = Box::pin(async {
                select_async! { sent = chan.send(2) => sent }
            });
            let mut sending = other.send_async(3);
            assert!(poll_future(&mut waiting, &waker).is_pending());
            assert!(poll_future(&mut sending, &next_waker).is_pending());
            if granted {
                assert_eq!(port.recv(), Ok(1));
            }
            assert_eq!((bell.rings(), next.rings()), (usize::from(granted), 0));
            drop(waiting);
            if !granted {
                assert_eq!(port.recv(), Ok(1));
            }
            assert_eq!((bell.rings(), next.rings()), (usize::from(granted), 1));
            assert_eq!(poll_future(&mut sending, &next_waker), Poll::Ready(Ok(())));
            assert_eq!((port.recv(), bell.wakers()), (Ok(3), 1));
            assert_free(&chan, 1);
        }
    });
}

/// A task has to give way when it was granted room, and its limit passes in the same poll: the arm runs, and
/// uses the room once.
#[test]
fn granted_when_the_limit_passes() {
    watched(|| {
        let ((mut chan, mut port), (timer, timed)) = (shared_sync_stream(1), oneshot());
        let (mut busy, mut spent) = stream();
        busy.send_all(&mut (0..300).collect()).expect("the port is here");
        chan.send(1).expect("the port is here");
        let mut waiting = Box::pin(async {
            select_async! {
                sent = chan.send(2) => sent.is_ok(),
                timeout(timed) => false,
            }
        });
        assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
        assert_eq!(port.recv(), Ok(1));
        timer.send(()).expect("it is waited for");
        // The budget is full after a receive that gives way, and spent after 128 more.
        while poll_future(&mut spent.recv_async(), Waker::noop()).is_ready() {}
        assert!((0..128).all(|_| poll_future(&mut spent.recv_async(), Waker::noop()).is_ready()));
        assert_eq!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(true));
        drop(waiting);
        assert_eq!(port.recv(), Ok(2));
        assert_free(&chan, 1);
    });
}

/// The value leaves the arm before there is one, in each way.
#[test]
fn the_value_is_not_made() {
    fn questioned(mut chan: &mut SharedChan<u64>) -> Option<u64> {
        select! { sent = chan.send(None?) => sent.map(|()| 1).ok() }
    }
    fn returned(mut chan: &SharedChan<u64>) -> u64 {
        let value = |stop: bool| if stop { None } else { Some(1) };
        select! {
            _ = chan.send(match value(true) { Some(number) => number, None => return 7 }) => 1,
            default => 2,
        }
    }
    watched(|| {
        let ((mut chan, mut port), (mut other, _full)) = (shared_sync_stream(1), shared_sync_stream(1));
        other.send(0).expect("the port is here");
        assert_eq!(questioned(&mut chan), None);
        assert_free(&chan, 1);
        assert_eq!(returned(&chan), 7);
        assert_free(&chan, 1);
        for number in 0..3 {
            select! {
                sent = chan.send(match number {
                    0 => continue,
                    1 => break,
                    number => number,
                }) => panic!("no number comes here: {sent:?}"),
                sent = other.send(1) => panic!("there is no room: {sent:?}"),
            }
        }
        assert_free(&chan, 1);
        let panic = caught(|| {
            select! {
                sent = chan.send(panics()) => sent,
                sent = other.send(1) => sent,
            }
        });
        assert_eq!(panic.expect("it is not swallowed").downcast_ref(), Some(&5));
        assert_free(&chan, 1);
        // A task that is dropped while it awaits the value.
        let (_silent, number) = oneshot::<u64>();
        let mut task = Box::pin(async {
            select_async! { sent = chan.send(number.await.unwrap_or(0)) => sent }
        });
        assert!(poll_future(&mut task, Waker::noop()).is_pending());
        drop(task);
        assert_free(&chan, 1);
        chan.send(9).expect("the port is here");
        assert_eq!((port.recv(), port.is_ready()), (Ok(9), false));
    });
}

fn panics() -> u64 {
    std::panic::resume_unwind(Box::new(5))
}

/// The waker of the next sender panics when it gets the room of an arm that was not chosen: the receiver that
/// was chosen keeps its message, and the next sender its room.
#[test]
fn a_waker_that_panics() {
    watched(|| {
        let mut panics = 0;
        for number in 0..60 {
            let ((mut chan, mut port), (mut word, mut words)) = (shared_sync_stream(1), stream());
            chan.send(0).expect("the port is here");
            let (_next, next_waker) = Bell::that(|| std::panic::resume_unwind(Box::new(())));
            let other = chan.clone();
            let mut waiting = Box::pin(async {
                select_async! {
                    sent = chan.send(number) => sent.map(|()| "sent").ok(),
                    word = words => word.ok(),
                }
            });
            let mut sending = other.send_async(100);
            assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
            assert!(poll_future(&mut sending, &next_waker).is_pending());
            assert_eq!(port.recv(), Ok(0));
            word.send("word").expect("it is waited for");
            if caught(|| poll_future(&mut waiting, Waker::noop())).is_some() {
                panics += 1;
                drop(waiting);
                assert_eq!(words.try_recv(), Ok("word"));
            } else {
                drop(waiting);
                assert!(poll_future(&mut sending, Waker::noop()).is_pending(), "the room is used");
                assert_eq!(port.recv(), Ok(number));
            }
            assert_eq!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Ok(())));
            assert_eq!(port.recv(), Ok(100));
            assert_free(&chan, 1);
        }
        assert!(panics >= 10, "{panics}");
    });
}

/// What a chan has reserved as a sink is not used by an arm, as it is not by `send`, and is there afterwards.
#[test]
fn beside_a_sink() {
    watched(|| {
        let (mut chan, mut port) = shared_sync_stream(2);
        let cx = &mut Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut chan).poll_ready(cx).is_ready());
        assert_free(&chan, 1);
        assert_eq!(select! { sent = chan.send(1) => sent }, Ok(()));
        assert!(select! { _ = chan.send(2) => false, default => true }, "the rest is reserved");
        assert_free(&chan, 0);
        assert_eq!(Pin::new(&mut chan).start_send(3), Ok(()));
        assert_eq!((port.recv(), port.recv()), (Ok(1), Ok(3)));
        // A sink in the line keeps its place there.
        chan.send_all(&mut vec![4, 5]).expect("the port is here");
        assert!(Pin::new(&mut chan).poll_ready(cx).is_pending());
        assert!(select! { _ = chan.send(6) => false, timeout(Duration::ZERO) => true });
        assert_eq!(port.recv(), Ok(4));
        assert!(select! { _ = chan.send(6) => false, default => true }, "the room is the sink's");
        assert!(Pin::new(&mut chan).poll_ready(cx).is_ready());
        assert_eq!(Pin::new(&mut chan).start_send(7), Ok(()));
        assert_eq!((port.recv(), port.recv()), (Ok(5), Ok(7)));
        assert_free(&chan, 2);
    });
}

/// An arm that was not chosen is still registered; each later use of its chan is as usual.
#[test]
fn a_chan_after_a_wait() {
    watched(|| {
        let ((mut chan, mut port), (mut word, mut words)) = (pipes::sync_stream(1), stream());
        chan.send(1).expect("the port is here");
        let waiting = Sleeper::spawn(move || {
            let heard = select! {
                sent = chan.send(2) => panic!("there is no room: {sent:?}"),
                word = words => word,
            };
            (heard, chan, words)
        });
        waiting.fall_asleep();
        word.send("word").expect("it waits");
        let (heard, mut chan, mut words) = waiting.join().expect("it does not panic");
        assert_eq!((heard, port.recv()), (Ok("word"), Ok(1)));
        let sent =
            select! { sent = chan.send(3) => sent, word = words => panic!("nothing was sent: {word:?}") };
        assert_eq!((sent, port.recv()), (Ok(()), Ok(3)));
        assert_eq!((chan.send(4), port.recv()), (Ok(()), Ok(4)));
    });
}

fn never<T>() -> T {
    panic!("there is no room")
}

/// Two threads select from two streams with room for one: each value is sent once, or not made.
#[test]
fn two_race_for_the_room_of_one() {
    watched(|| {
        let tally = Tally::new();
        for round in 0..200 {
            let (chan, mut port) = shared_sync_stream(1);
            let (other, mut others) = shared_sync_stream(1);
            other.send(tally.make(round)).expect("the port is here");
            let racing = [(chan.clone(), other.clone()), (chan, other)].map(|(mut chan, mut other)| {
                let tally = tally.clone();
                thread::spawn(move || {
                    select! {
                        sent = chan.send(tally.make(round)) => sent.map(|()| 1).expect("it is here"),
                        _ = other.send(never()) => 0,
                        default => 0,
                    }
                })
            });
            let sent: usize = racing.map(|it| it.join().expect("it does not panic")).iter().sum();
            assert_eq!((sent, port.iter().count(), others.iter().count()), (1, 1, 1));
        }
        tally.assert_all_gone();
        assert_eq!(tally.made(), 400);
    });
}

/// Several threads send what they have to whichever of two streams has room, with a limit now and then.
#[test]
fn many_threads() {
    watched(|| {
        const EACH: u64 = if cfg!(miri) { 20 } else { 2_000 };
        let tally = Tally::new();
        let ((chan, mut port), (other, mut others)) = (shared_sync_stream(1), shared_sync_stream(2));
        let senders: Vec<_> = (0..4)
            .map(|sender| {
                let (mut chan, mut other, tally) = (chan.clone(), other.clone(), tally.clone());
                thread::spawn(move || {
                    let mut number = 0;
                    while number < EACH {
                        let sent = select! {
                            sent = chan.send(tally.make(number)), if sender != 3 => sent.is_ok(),
                            sent = other.send(tally.make(number)), if sender != 2 => sent.is_ok(),
                            timeout(if number % 2 == 0 { Duration::MAX } else { Duration::from_micros(3) }) => {
                                continue;
                            }
                            else => unreachable!(),
                        };
                        assert!(sent);
                        number += 1;
                    }
                })
            })
            .collect();
        drop((chan, other));
        let (mut open, mut sum) = ([true; 2], 0);
        loop {
            select! {
                payload = port, if open[0] => payload.map_or_else(|_| open[0] = false, |it| sum += it.number),
                payload = others, if open[1] => payload.map_or_else(|_| open[1] = false, |it| sum += it.number),
                else => break,
            }
        }
        senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
        assert_eq!(sum, 4 * (EACH * (EACH - 1) / 2));
        tally.assert_all_gone();
        assert_eq!(tally.made() as u64, 4 * EACH);
    });
}
