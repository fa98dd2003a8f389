//! Arms with conditions, and what runs when all of them are false.

use crate::acceptance::Sleeper;
use futures::executor::block_on;
use pipes::{Closed, Port, PortSet, RecvError, oneshot, select, select_async, stream};
use pipes_tests::{Bell, poll_future, watched};
use std::task::{Poll, Waker};
use std::time::Duration;

/// Of two ready receivers only those whose conditions hold are chosen.
#[test]
fn a_receiver_that_is_not_wanted_is_left_alone() {
    watched(|| {
        for (want_first, want_second) in [(false, false), (false, true), (true, false), (true, true)] {
            let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
            let mut chosen = [0; 3];
            for number in 0..100 {
                one.send(number).expect("the port is here");
                two.send(number).expect("the port is here");
                select! {
                    _ = first, if want_first => chosen[0] += 1,
                    _ = second, if want_second => chosen[1] += 1,
                    else => chosen[2] += 1,
                }
            }
            assert_eq!(chosen.map(|count| count > 0), [want_first, want_second, !want_first && !want_second]);
            let left = [first.try_iter().count(), second.try_iter().count()];
            assert_eq!(left, [100 - chosen[0], 100 - chosen[1]]);
        }
    });
}

/// Some arms have a condition and others do not: then there is always a receiver to wait for.
#[test]
fn beside_an_arm_without_a_condition() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
        one.send(1).expect("the port is here");
        let got = select! {
            number = first, if 1 > 2 => number,
            number = second => number,
            timeout(Duration::ZERO) => Ok(7),
            else => panic!("somebody is left"),
        };
        assert_eq!(got, Ok(7));
        two.send(2).expect("the port is here");
        let got = select! {
            number = first, if second.is_closed() => number,
            number = second => number,
            else => panic!("somebody is left"),
        };
        assert_eq!(got, Ok(2));
        assert_eq!(first.try_recv(), Ok(1));
    });
}

/// Conditions are evaluated once, in order, before the wait; they may look at the receivers.
#[test]
fn conditions_are_asked_once() {
    watched(|| {
        let ((_one, mut first), (mut two, mut second)) = (stream::<u64>(), stream());
        two.send(2).expect("the port is here");
        let mut asked = Vec::new();
        let got = select! {
            number = first, if { asked.push("first"); first.is_ready() } => number,
            number = second, if { asked.push("second"); second.is_ready() } => number,
            else => Ok(0),
        };
        assert_eq!((got, asked), (Ok(2), vec!["first", "second"]));
    });
}

/// If no receiver is left, neither `default` nor `timeout` runs: the wait never begins.
#[test]
fn else_beside_default_and_timeout() {
    watched(|| {
        let (mut chan, mut port) = stream();
        chan.send(1).expect("the port is here");
        for (wanted, expected) in [(false, "else"), (true, "port")] {
            let got = select! {
                _ = port, if wanted => "port",
                default => "default",
                else => "else",
            };
            assert_eq!(got, expected);
        }
        for (wanted, expected) in [(false, "else"), (true, "timeout")] {
            let got = select! {
                else => "else",
                timeout(Duration::from_micros(1)) => "timeout",
                _ = port, if wanted => "port",
            };
            assert_eq!(got, expected);
        }
        assert!(!select! { _ = port, if true => true, default => false, else => true });
    });
}

/// A loop over streams that end one after the other.
#[test]
fn until_all_have_ended() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second), (three, mut third)) =
            (stream(), stream(), oneshot());
        let sending = Sleeper::spawn(move || {
            (0..100).for_each(|number| one.send(number).expect("it is there"));
            drop(one);
            (0..50).for_each(|number| two.send(number).expect("it is there"));
            three.send(1_000_000).expect("it is there");
        });
        let (mut sum, mut open) = (0, [true; 3]);
        // A oneshot is used up, so another one is put in its place.
        let (_silent, mut next) = oneshot();
        loop {
            select! {
                number = first, if open[0] => number.map_or_else(|RecvError| open[0] = false, |number| sum += number),
                number = second, if open[1] => number.map_or_else(|RecvError| open[1] = false, |number| sum += number),
                number = third, if open[2] => {
                    (sum, open[2]) = (sum + number.expect("it is sent"), false);
                    (third, next) = (next, oneshot().1);
                }
                else => break,
            }
        }
        assert_eq!(sum, 99 * 50 + 49 * 25 + 1_000_000);
        assert!(!third.is_closed() && next.is_closed());
        sending.join().expect("the sender does not panic");
    });
}

/// A thread that waits for the receivers whose conditions hold is not woken by the others.
#[test]
fn a_sleeping_thread() {
    watched(|| {
        let ((mut one, first), (mut two, second)) = (stream::<u64>(), stream::<u64>());
        let waiting = Sleeper::spawn(move || {
            let (mut first, mut second): (Port<u64>, Port<u64>) = (first, second);
            let got = select! {
                number = first, if false => number,
                number = second, if true => number,
                else => panic!("somebody is left"),
            };
            (got, first.try_recv())
        });
        waiting.fall_asleep();
        one.send(1).expect("it is there");
        waiting.fall_asleep();
        two.send(2).expect("it waits");
        assert_eq!(waiting.join().expect("it does not panic"), (Ok(2), Ok(1)));
    });
}

#[test]
fn in_a_task() {
    let ((mut one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
    let (bell, waker) = Bell::new();
    {
        let mut waiting = Box::pin(async {
            select_async! {
                number = first, if false => number,
                number = second, if true => number,
                else => panic!("somebody is left"),
            }
        });
        assert!(poll_future(&mut waiting, &waker).is_pending());
        one.send(1).expect("the port is here");
        assert_eq!(bell.rings(), 0);
        assert!(poll_future(&mut waiting, &waker).is_pending());
        two.send(2).expect("the port is here");
        assert_eq!(bell.rings(), 1);
        assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(2)));
    }
    let mut nobody = Box::pin(async {
        select_async! {
            number = first, if second.is_closed() => number.is_ok(),
            timeout(std::future::pending::<()>()) => false,
            else => true,
        }
    });
    assert_eq!(poll_future(&mut nobody, Waker::noop()), Poll::Ready(true));
}

/// Sets that are empty at times: the condition keeps the loop from spinning.
#[test]
fn a_set_that_is_empty_now_and_then() {
    watched(|| {
        let (mut joining, mut joined) = stream::<Port<u64>>();
        let sending = Sleeper::spawn(move || {
            for round in 0..20 {
                let (mut chan, port) = stream();
                joining.send(port).expect("it is there");
                (0..round).for_each(|number| chan.send(number).expect("it is there"));
            }
        });
        let (mut set, mut open, mut sum, mut closes, mut rounds) = (PortSet::new(), true, 0, 0, 0);
        block_on(async {
            loop {
                rounds += 1;
                select_async! {
                    port = joined, if open => match port {
                        Ok(port) => drop(set.insert(port)),
                        Err(RecvError) => open = false,
                    },
                    turn = set, if !set.is_empty() => match turn.expect("it has members") {
                        (_, Ok(number)) => sum += number,
                        (_, Err(Closed)) => closes += 1,
                    },
                    else => break,
                }
            }
        });
        assert_eq!(
            (sum, closes),
            ((0..20).map(|round| round * (round - 1).max(0) / 2).sum::<i64>() as u64, 20)
        );
        // Twenty ports, their end, all messages, all closes, and the last round.
        assert_eq!(rounds, 20 + 1 + 190 + 20 + 1);
        sending.join().expect("the sender does not panic");
    });
}
