//! With `biased;`, of the arms that are ready the first one runs.

use super::fairness::ports;
use futures::executor::block_on;
use pipes::{RecvError, select, select_async, shared_sync_stream, stream, sync_stream};
use pipes_tests::{WakeCounter, poll_future, test_in, watched};
use std::future::{pending, ready};
use std::task::Poll;
use std::time::Duration;

/// Each pattern of five arms: which of them are ready.
fn patterns() -> impl Iterator<Item = [bool; 5]> {
    (0..32).map(|bits: u32| std::array::from_fn(|arm| bits >> arm & 1 == 1))
}

/// Arms that receive, in each form of the macros; `None` is the arm that runs if none of these is ready.
#[test]
fn first_that_receives() {
    async fn selections(pattern: [bool; 5]) {
        let first = pattern.iter().position(|is_ready| *is_ready);
        let (_chans, [mut a, mut b, mut c, mut d, mut e]) = ports(pattern);
        let (_, [mut v, mut w, mut x, mut y, mut z]) = ports([true; 5]);
        let chosen = [
            select! { biased;
                _ = a => Some(0), _ = b => Some(1), _ = c => Some(2), _ = d => Some(3), _ = e => Some(4),
                default => None,
            },
            select! { biased;
                _ = a => Some(0), _ = b => Some(1), _ = c => Some(2), _ = d => Some(3), _ = e => Some(4),
                timeout(Duration::ZERO) => None,
            },
            select_async! { biased;
                _ = a => Some(0), _ = b => Some(1), _ = c => Some(2), _ = d => Some(3), _ = e => Some(4),
                default => None,
            },
            select_async! { biased;
                _ = a => Some(0), _ = b => Some(1), _ = c => Some(2), _ = d => Some(3), _ = e => Some(4),
                timeout(ready(())) => None,
            },
            select! { biased;
                _ = v, if pattern[0] => Some(0),
                _ = w, if pattern[1] => Some(1),
                _ = x, if pattern[2] => Some(2),
                _ = y, if pattern[3] => Some(3),
                _ = z, if pattern[4] => Some(4),
                else => None,
            },
        ];
        assert_eq!(chosen, [first; 5], "{pattern:?}");
        if first.is_some() {
            let waiting = [
                select! { biased; _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
                select_async! { biased; _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
            ];
            assert_eq!(waiting.map(Some), [first; 2], "{pattern:?}");
        }
    }
    watched(|| patterns().for_each(|pattern| block_on(selections(pattern))));
}

/// Arms that send, with room in those streams that the pattern says, between arms that receive.
#[test_in(watched)]
fn first_that_sends() {
    for pattern in patterns() {
        let first = pattern.iter().position(|is_ready| *is_ready);
        let (mut a, _a) = sync_stream(1);
        let (mut b, _b) = shared_sync_stream(1);
        let (_chans, [_, _, mut c, _, mut e]) = ports(pattern);
        let (mut d, _d) = shared_sync_stream(1);
        let full = "there is room";
        if !pattern[0] {
            a.send(0).expect(full);
        }
        [&b, &d].into_iter().zip([pattern[1], pattern[3]]).for_each(|(chan, is_ready)| {
            if !is_ready {
                chan.send(0).expect(full);
            }
        });
        let chosen = select! { biased;
            sent = a.send(1) => sent.map(|()| Some(0)).expect(full),
            sent = b.send(1) => sent.map(|()| Some(1)).expect(full),
            _ = c => Some(2),
            sent = d.send(1) => sent.map(|()| Some(3)).expect(full),
            _ = e => Some(4),
            default => None,
        };
        assert_eq!(chosen, first, "{pattern:?}");
        // Room that was not chosen is free.
        assert_eq!(b.try_send(2).is_ok(), pattern[1] && first != Some(1));
        assert_eq!(d.try_send(2).is_ok(), pattern[3] && first != Some(3));
    }
}

/// A task that was woken by a later arm looks at the earlier ones first.
#[test_in(watched)]
fn first_after_a_wait() {
    let ((mut urgent, mut first), (mut ordinary, mut second)) = (stream(), stream());
    let (wakes, waker) = WakeCounter::new();
    let mut waiting = Box::pin(async {
        select_async! { biased;
            number = first => number,
            number = second => number,
            timeout(pending::<()>()) => Err(RecvError),
        }
    });
    assert!(poll_future(&mut waiting, &waker).is_pending());
    ordinary.send(2).expect("the port is here");
    assert_eq!(wakes.count(), 1);
    urgent.send(1).expect("the port is here");
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(1)));
}

/// A stream with two lanes: all that is urgent comes first, and each lane keeps its order.
#[test_in(watched)]
fn two_lanes() {
    let ((mut urgent, mut first), (mut ordinary, mut second)) = (stream(), stream());
    ordinary.send_all(&mut vec![10, 11, 12]).expect("the port is here");
    urgent.send_all(&mut vec![1, 2]).expect("the port is here");
    let mut received = Vec::new();
    while received.len() < 6 {
        let number = select! { biased; number = first => number, number = second => number };
        received.push(number.expect("both senders are here"));
        if received.len() == 3 {
            urgent.send(3).expect("the port is here");
        }
    }
    assert_eq!(received, [1, 2, 10, 3, 11, 12]);
}

/// `biased` is a name like any other where no semicolon follows it.
#[test_in(watched)]
fn as_a_name() {
    let (mut chan, mut biased) = stream();
    chan.send(1).expect("the port is here");
    assert_eq!(select! { biased = biased => biased }, Ok(1));
}
