//! Arms with conditions, and what runs when all of them are false.

use pipes::{select, select_async, stream};
use pipes_tests::{WakeCounter, begun, poll_future, test_in, watched};
use std::task::{Poll, Waker};
use std::time::Duration;

/// Conditions are evaluated once, in order, before the wait; they may look at the receivers.
#[test_in(watched)]
fn conditions_are_evaluated_once() {
    let ((_one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
    two.send(2).expect("the port is here");
    let mut evaluated = Vec::new();
    let got = select! {
        number = first, if { evaluated.push("first"); first.is_ready() } => number,
        number = second, if { evaluated.push("second"); second.is_ready() } => number,
        else => Ok(0),
    };
    assert_eq!((got, evaluated), (Ok(2), vec!["first", "second"]));
}

/// If no receiver is left, neither `default` nor `timeout` runs: the wait never begins. An arm without a
/// condition is always left.
#[test_in(watched)]
fn else_beside_default_and_timeout() {
    let (mut chan, mut port) = stream();
    let (_idle, mut idle) = stream::<u64>();
    for (wanted, expected) in [(false, "else"), (true, "port")] {
        chan.send(1).expect("the port is here");
        let got = select! {
            _ = port, if wanted => "port",
            default => "default",
            else => "else",
        };
        assert_eq!(got, expected);
    }
    let beside = select! {
        _ = port, if 1 > 2 => "port",
        _ = idle => "idle",
        timeout(Duration::ZERO) => "timeout",
    };
    assert_eq!(beside, "timeout");
    assert_eq!(port.recv(), Ok(1));
    for (wanted, expected) in [(false, "else"), (true, "timeout")] {
        let got = select! {
            else => "else",
            timeout(Duration::from_micros(1)) => "timeout",
            _ = port, if wanted => "port",
        };
        assert_eq!(got, expected);
    }
}

/// A task that waits for the receivers whose conditions hold is not woken by the others.
#[test]
fn a_waiting_task() {
    let ((mut one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
    let (wakes, waker) = WakeCounter::new();
    let mut waiting = begun(
        Box::pin(async {
            select_async! {
                number = first, if false => number,
                number = second, if true => number,
                else => panic!("one is left"),
            }
        }),
        &waker,
    );
    one.send(1).expect("the port is here");
    assert!(wakes.count() == 0 && poll_future(&mut waiting, &waker).is_pending());
    two.send(2).expect("the port is here");
    assert_eq!((wakes.count(), poll_future(&mut waiting, &waker)), (1, Poll::Ready(Ok(2))));
    drop(waiting);
    let mut none_left = Box::pin(async {
        select_async! {
            number = first, if second.is_closed() => number.is_ok(),
            timeout(std::future::pending::<()>()) => false,
            else => true,
        }
    });
    assert_eq!(poll_future(&mut none_left, Waker::noop()), Poll::Ready(true));
}
