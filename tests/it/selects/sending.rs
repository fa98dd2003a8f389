//! Arms that send: when they are ready, which arm runs, and what its value and the other parts of the macro
//! see.

use crate::acceptance::Sleeper;
use futures::executor::block_on;
use pipes::{
    Chan, RecvError, SharedChan, duplex_stream, oneshot, select, select_async, shared_stream,
    shared_sync_stream, stream, sync_stream,
};
use pipes_tests::{Bell, caught, poll_future, watched};
use std::cell::Cell;
use std::future::ready;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// The value of an arm that is not chosen.
fn never() -> u64 {
    panic!("there is no room")
}

#[test]
fn there_is_room() {
    watched(|| {
        let (mut one, mut first) = sync_stream(1);
        let (mut two, mut second) = shared_sync_stream(1);
        let (mut three, mut third) = stream();
        let (mut four, mut fourth) = shared_stream();
        let (mut five, mut fifth) = duplex_stream::<_, ()>();
        assert_eq!(select! { sent = one.send(1) => sent }, Ok(()));
        assert_eq!(select! { sent = two.send(2) => sent, default => panic!("there is room") }, Ok(()));
        assert_eq!(
            select! { sent = three.send(3) => sent, timeout(Duration::ZERO) => panic!("room") },
            Ok(())
        );
        assert_eq!(
            block_on(async {
                select_async! { sent = four.send(4) => sent }
            }),
            Ok(())
        );
        assert_eq!(
            block_on(async {
                select_async! { sent = five.send(5) => sent, default => panic!() }
            }),
            Ok(())
        );
        let received = [first.recv(), second.recv(), third.recv(), fourth.recv(), fifth.recv()];
        assert_eq!(received, [Ok(1), Ok(2), Ok(3), Ok(4), Ok(5)]);
    });
}

/// A variable may be a reference to a chan.
#[test]
fn references() {
    watched(|| {
        fn send(mut single: &mut Chan<u64>, mut many: &SharedChan<u64>, wants_single: bool) {
            select! {
                sent = single.send(1), if wants_single => sent,
                sent = many.send(many.capacity().map_or(0, |room| room as u64)), if !wants_single => sent,
                else => unreachable!(),
            }
            .expect("the port is here");
        }
        let ((mut one, mut first), (two, mut second)) = (sync_stream(1), shared_sync_stream(7));
        send(&mut one, &two, true);
        send(&mut one, &two, false);
        assert_eq!((first.recv(), second.recv()), (Ok(1), Ok(7)));
    });
}

#[test]
fn a_thread_waits_for_room() {
    watched(|| {
        for many in [false, true] {
            let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
            one.send(1).expect("the port is here");
            two.send(1).expect("the port is here");
            let waiting = Sleeper::spawn(move || {
                select! {
                    sent = one.send(2) => (sent, "one"),
                    sent = two.send(2) => (sent, "two"),
                    timeout(Duration::from_secs(1_000)) => panic!("there will be room"),
                }
            });
            waiting.fall_asleep();
            let port = if many { &mut second } else { &mut first };
            assert_eq!(port.recv(), Ok(1));
            let chosen = if many { "two" } else { "one" };
            assert_eq!(waiting.join().expect("it does not panic"), (Ok(()), chosen));
            assert_eq!((port.recv(), port.recv()), (Ok(2), Err(RecvError)));
        }
    });
}

#[test]
fn a_task_waits_for_room() {
    watched(|| {
        for many in [false, true] {
            let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
            one.send(1).expect("the port is here");
            two.send(1).expect("the port is here");
            let values = Cell::new(0);
            let (bell, waker) = Bell::new();
            let mut waiting = Box::pin(async {
                select_async! {
                    sent = one.send({ values.set(values.get() + 1); 2 }) => (sent, "one"),
                    sent = two.send({ values.set(values.get() + 1); 2 }) => (sent, "two"),
                }
            });
            assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
            assert!(poll_future(&mut waiting, &waker).is_pending());
            let port = if many { &mut second } else { &mut first };
            assert_eq!(port.recv(), Ok(1));
            assert_eq!(bell.rings(), 1, "the last waker counts");
            let chosen = if many { "two" } else { "one" };
            assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready((Ok(()), chosen)));
            drop(waiting);
            assert_eq!((values.get(), port.recv()), (1, Ok(2)), "the other value was not evaluated");
        }
    });
}

/// A close is a reason to send: the result has the value.
#[test]
fn the_port_leaves() {
    watched(|| {
        for many in [false, true] {
            let ((mut one, first), (mut two, second)) = (sync_stream(1), shared_sync_stream(1));
            one.send(1).expect("the port is here");
            two.send(1).expect("the port is here");
            let waiting = Sleeper::spawn(move || {
                let sent = select! {
                    sent = one.send(2) => sent,
                    sent = two.send(3) => sent,
                };
                sent.map_err(|error| error.into_payload())
            });
            waiting.fall_asleep();
            let (left, _other) = if many { (second, first) } else { (first, second) };
            drop(left);
            assert_eq!(waiting.join().expect("it does not panic"), Err(if many { 3 } else { 2 }));
        }
    });
    // A port that left before the wait, of every kind of stream.
    let ((mut one, _), (mut two, _), (mut three, _)) = (sync_stream(1), shared_sync_stream(1), stream());
    let ((mut four, _), (mut five, _)) = (shared_stream(), duplex_stream::<_, ()>());
    two.send(0).expect_err("the port has left");
    for number in 1..=2 {
        assert!(select! { sent = one.send(number) => sent.is_err(), default => false });
        assert!(select! { sent = two.send(number) => sent.is_err(), default => false });
        assert!(select! { sent = three.send(number) => sent.is_err() });
        assert!(select! { sent = four.send(number) => sent.is_err(), timeout(Duration::ZERO) => false });
        assert!(block_on(async {
            select_async! { sent = five.send(number) => sent.is_err() }
        }));
    }
}

/// Nothing waits, and nothing is evaluated, when there is no room.
#[test]
fn default_and_timeout() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
        one.send(1).expect("the port is here");
        two.send(1).expect("the port is here");
        for _ in 0..3 {
            let late = select! {
                _ = one.send(never()) => false,
                _ = two.send(never()) => false,
                default => true,
            };
            assert!(late);
            let late = select! {
                _ = one.send(never()) => false,
                _ = two.send(never()) => false,
                timeout(Duration::from_micros(20)) => true,
            };
            assert!(late);
            let late = block_on(async {
                select_async! {
                    _ = one.send(never()) => false,
                    _ = two.send(never()) => false,
                    timeout(ready(())) => true,
                }
            });
            assert!(late);
        }
        assert_eq!((first.recv(), second.recv()), (Ok(1), Ok(1)));
        // In the arm of a limit the chans are usable.
        let (_idle, mut idle) = stream::<()>();
        let sent = select! {
            _ = idle => panic!("nothing was sent"),
            sent = one.send(2), if false => sent,
            timeout(Duration::ZERO) => one.send(3).and(two.send(4)),
            else => unreachable!(),
        };
        assert_eq!((sent, first.recv(), second.recv()), (Ok(()), Ok(3), Ok(4)));
    });
}

/// A buffer between two streams: it receives while it has room, and sends while it has something.
#[test]
fn beside_receivers() {
    watched(|| {
        let ((mut source, mut port), (mut chan, sink)) = (sync_stream(1), shared_sync_stream(1));
        let sending = thread::spawn(move || (0..1_000).try_for_each(|number| source.send(number)));
        let receiving = thread::spawn(move || sink.into_iter().collect::<Vec<u64>>());
        let (mut queue, mut open, mut most) = (std::collections::VecDeque::new(), true, 0);
        loop {
            most = most.max(queue.len());
            select! {
                number = port, if open && queue.len() < 4 => match number {
                    Ok(number) => queue.push_back(number),
                    Err(RecvError) => open = false,
                },
                sent = chan.send(queue.pop_front().expect("it is not empty")), if !queue.is_empty() => {
                    sent.expect("the sink is here");
                }
                else => break,
            }
        }
        drop(chan);
        assert!(sending.join().expect("it does not panic").is_ok() && most <= 4);
        assert!(receiving.join().expect("it does not panic").into_iter().eq(0..1_000));
    });
}

/// Conditions, the limit, the values and the arms are written with the user's own variables.
#[test]
fn what_each_part_sees() {
    watched(|| {
        let ((mut one, mut first), (mut two, second)) = (sync_stream(3), shared_sync_stream(4));
        let sent = select! {
            sent = one.send(two.capacity()), if one.capacity() == Some(3) => {
                assert_eq!(one.capacity(), Some(3));
                one.send(None).and(two.send(Some(1))).and(sent)
            }
            sent = two.send(Some(2)), if two.capacity() == Some(0) => sent,
            timeout(Duration::from_micros(one.capacity().map_or(0, |room| room as u64))) => Ok(()),
            else => unreachable!(),
        };
        assert_eq!(sent, Ok(()));
        assert_eq!((first.recv(), first.recv()), (Ok(Some(4)), Ok(None)));
        let mut second = second;
        // The value is what another receiver has.
        let sent = select! {
            sent = one.send(second.recv().expect("it was sent")), if !first.is_ready() => sent,
            else => unreachable!(),
        };
        assert_eq!((sent, first.recv()), (Ok(()), Ok(Some(1))));
        let __request = 5;
        select! { sent = one.send(Some(__request)) => assert!(sent.is_ok() && __request == 5) }
        assert_eq!(first.recv(), Ok(Some(5)));
    });
}

#[test]
fn a_value_that_awaits() {
    watched(|| {
        let ((mut chan, mut port), (word, words)) = (shared_sync_stream(1), oneshot());
        let mut waiting = Box::pin(async {
            select_async! { sent = chan.send(words.await.expect("it is sent")) => sent.is_ok() }
        });
        assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
        word.send("word").expect("it is waited for");
        assert_eq!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(true));
        drop(waiting);
        assert_eq!(port.recv(), Ok("word"));
    });
}

/// A stream without capacity has no room to wait for.
#[test]
fn capacity_0() {
    watched(|| {
        let ((mut chan, _port), (_idle, mut idle)) = (sync_stream(0), stream::<()>());
        let panic = caught(|| select! { _ = chan.send(1) => {}, default => {} });
        assert!(panic.is_some());
        // Also beside others, and if the arm is not wanted.
        let panic = caught(|| {
            select! {
                _ = chan.send(1), if false => {},
                _ = idle => {},
                else => {}
            }
        });
        assert!(panic.is_some());
        // If no arm is wanted, nothing is looked at.
        select! { _ = chan.send(1), if false => {}, else => {} }
        let (mut end, _other) = duplex_stream::<u64, ()>();
        *end.parts_mut().0 = chan;
        assert!(caught(|| select! { _ = end.send(1) => {}, default => {} }).is_some());
    });
}

/// What is always ready does not keep an arm from its turn.
#[test]
fn fairness() {
    watched(|| {
        let ((mut chan, mut port), (mut many, mut of_many)) = (sync_stream(1), shared_sync_stream(1));
        let ((mut endless, _kept), (_, mut closed)) = (stream(), stream::<()>());
        let mut chosen = [0; 4];
        for _ in 0..10_000 {
            select! {
                none = closed => chosen[0] += usize::from(none.is_err()),
                sent = chan.send(1) => chosen[1] += usize::from(sent.is_ok()),
                sent = many.send(1) => chosen[2] += usize::from(sent.is_ok()),
                sent = endless.send(1) => chosen[3] += usize::from(sent.is_ok()),
            }
            let _received = (port.try_recv(), of_many.try_recv());
        }
        assert!(chosen.iter().all(|count| *count >= 1_500), "{chosen:?}");
        assert_eq!(chosen.iter().sum::<usize>(), 10_000);
    });
}

/// A task that always finds room gives way to others, like one that always finds a message.
#[test]
fn a_task_gives_way() {
    watched(|| {
        let (mut chan, port) = stream();
        let (bell, waker) = Bell::new();
        let mut task = Box::pin(async {
            for number in 0..1_000 {
                select_async! { sent = chan.send(number) => sent.expect("the port is here") }
            }
        });
        let polls = (0..100).take_while(|_| poll_future(&mut task, &waker).is_pending()).count();
        assert!((7..=8).contains(&polls) && bell.rings() == polls, "{polls} polls");
        drop(task);
        drop(chan);
        assert_eq!(port.into_iter().count(), 1_000);
    });
}

#[test]
fn it_is_send() {
    watched(|| {
        fn sendable<F: Future + Send>(future: F) -> F {
            future
        }
        let ((one, mut first), (two, _second)) = (sync_stream(1), shared_sync_stream(1));
        let task = sendable(async move {
            let (mut one, mut two) = (one, two);
            select_async! {
                sent = one.send(1) => sent.is_ok(),
                sent = two.send(ready(2).await), if two.is_closed() => sent.is_ok(),
                else => false,
            }
        });
        assert!(thread::spawn(move || block_on(task)).join().expect("it does not panic"));
        assert_eq!(first.recv(), Ok(1));
    });
}
