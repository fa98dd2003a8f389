//! Selections that wait, and looks between a wait and its wake-up.

use futures::StreamExt;
use futures::stream::{FusedStream, Stream};
use pipes::{Port, PortSet, Readiness, Receive, RecvTimeoutError, listen, oneshot, select, stream};
use pipes_tests::{WakeCounter, greeting, poll, test_in, watched};
use std::fmt::Debug;
use std::thread;
use std::time::Duration;

/// A task waits, and then a receive without time looks. The task is woken all the same. (The table tests
/// ports in the same way.)
#[test]
fn a_look_without_time_keeps_the_waker() {
    fn check<R: Receive + Readiness>(mut receiver: R, come: impl FnOnce()) {
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut receiver, &waker).is_pending());
        let Err(RecvTimeoutError::Timeout(_receiver)) = receiver.recv_timeout(Duration::ZERO) else {
            panic!("nothing was sent")
        };
        come();
        assert!(wakes.count() > 0);
    }
    let mut set = PortSet::<Port<u32>>::new();
    let mut chan = set.chan();
    check(&mut set, move || chan.send(1).expect("it is here"));

    let (mut chan, mut port) = stream();
    let (wakes, waker) = WakeCounter::new();
    assert!(poll(&mut port, &waker).is_pending());
    select! {
        number = port => panic!("nothing was sent: {number:?}"),
        timeout(Duration::ZERO) => {}
    }
    chan.send(1).expect("it is here");
    assert!(wakes.count() > 0);
}

/// The first selections of many threads all began at the same receiver, and starved the other one.
#[test_in(watched)]
fn first_selections_of_threads_are_fair() {
    fn chosen(by_macro: bool) -> usize {
        let ((left, mut left_port), (right, mut right_port)) = (oneshot(), oneshot());
        assert!(left.send(()).is_ok() && right.send(()).is_ok());
        if by_macro {
            return select! { _ = left_port => 0, _ = right_port => 1 };
        }
        pipes::select(vec![left_port, right_port]).0
    }
    for by_macro in [true, false] {
        let threads = (0..100).map(|_| thread::spawn(move || chosen(by_macro)));
        let all: Vec<_> = threads.map(|thread| thread.join().expect("it does not panic")).collect();
        assert!(all.contains(&0) && all.contains(&1), "one of two was never chosen");
    }
}

/// The `select!` of `futures` skips a stream that is terminated. A stream said so as soon as it was closed,
/// so a loop that stops at the end waited for its other streams for ever.
#[test_in(watched)]
fn a_loop_until_the_end_of_one_of_two_streams() {
    fn check<S: Stream<Item: Debug> + FusedStream + Unpin>(mut receiver: S, mut leave: impl FnMut()) {
        let (_idle, mut never) = stream::<u32>();
        let mut count = 0;
        futures::executor::block_on(async {
            loop {
                futures::select! {
                    message = receiver.next() => {
                        if message.is_none() {
                            break;
                        }
                        count += 1;
                        // The sender leaves while the task is busy with the message.
                        leave();
                        assert!(!receiver.is_terminated());
                    }
                    number = never.next() => panic!("nothing sends {number:?}"),
                }
            }
        });
        assert_eq!(count, 1);
        assert!(receiver.is_terminated());
    }
    let (mut chan, port) = stream();
    chan.send(1).expect("the port is there");
    let mut chan = Some(chan);
    check(port, || drop(chan.take()));
    let (connector, listener) = listen::<greeting::Protocol<u32>>();
    let _client = connector.connect().expect("the listener is there");
    let mut connector = Some(connector);
    check(listener, || drop(connector.take()));
}
