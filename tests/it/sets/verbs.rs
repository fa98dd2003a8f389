//! The verbs of sets, with members that are ready, idle and closed, and without members.

use super::streams;
use futures::executor::block_on;
use pipes::{
    Closed, Port, PortSet, Readiness, Receive, RecvError, RecvTimeoutError, SetEmpty, TryRecvError, oneshot,
    stream,
};
use pipes_tests::{Bell, poll, poll_future, watched};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// A point in time that has passed.
fn past() -> Instant {
    let now = Instant::now();
    now.checked_sub(Duration::from_millis(1)).unwrap_or(now)
}

#[test]
fn an_empty_set_answers_at_once() {
    watched(|| {
        let mut emptied = PortSet::new();
        let key = emptied.insert(stream().1);
        assert_eq!(emptied.recv(), Ok((key, Err(Closed))));
        let mut removed = PortSet::new();
        let key = removed.insert(stream().1);
        assert!(removed.remove(&key).is_some());
        for mut set in [PortSet::<Port<u64>>::new(), emptied, removed] {
            for _ in 0..2 {
                assert_eq!(set.recv(), Err(SetEmpty));
                assert_eq!(set.try_recv(), Err(TryRecvError::Closed));
                assert_eq!(set.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
                assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Closed));
                assert_eq!(set.recv_deadline(past()), Err(RecvTimeoutError::Closed));
                assert_eq!(block_on(set.recv_async()), Err(SetEmpty));
                assert_eq!(set.messages().next(), None);
                assert!(poll(&mut set, Waker::noop()).is_ready());
                assert!(!set.is_ready() && Readiness::is_closed(&set));
                assert!(set.wait(None) && set.wait(Some(past())));
                assert_eq!(Receive::recv(&mut set), Err(RecvError));
            }
        }
    });
}

#[test]
fn without_anything_ready_nothing_is_lost() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(set.recv_timeout(Duration::from_micros(50)), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(set.recv_deadline(past()), Err(RecvTimeoutError::Timeout(())));
        assert!(!set.wait(Some(past())));
        assert!(poll_future(&mut set.recv_async(), Waker::noop()).is_pending());
        assert!(poll_future(&mut set.ready(), Waker::noop()).is_pending());
        assert!(!set.is_ready() && !Readiness::is_closed(&set));
        for (number, chan) in chans.iter_mut().enumerate() {
            chan.send(number).expect("the set is here");
            assert_eq!(set.recv(), Ok((number, Ok(number))));
        }
    });
}

/// Each verb gives the message, also those whose deadline has passed.
#[test]
fn a_ready_member_is_served_by_each_verb() {
    watched(|| {
        let (mut chans, mut set) = streams(2);
        let mut send = |number: u64| chans[1].send(number).expect("the set is here");
        send(0);
        assert!(set.is_ready() && !Readiness::is_closed(&set));
        assert!(set.wait(None) && set.wait(Some(past())));
        assert!(poll(&mut set, Waker::noop()).is_ready());
        assert_eq!(set.recv(), Ok((1, Ok(0))));
        send(1);
        assert_eq!(set.try_recv(), Ok((1, Ok(1))));
        send(2);
        assert_eq!(set.recv_timeout(Duration::ZERO), Ok((1, Ok(2))));
        send(3);
        assert_eq!(set.recv_timeout(Duration::MAX), Ok((1, Ok(3))));
        send(4);
        assert_eq!(set.recv_deadline(past()), Ok((1, Ok(4))));
        send(5);
        assert_eq!(block_on(set.recv_async()), Ok((1, Ok(5))));
        send(6);
        block_on(set.ready());
        assert_eq!(set.try_recv(), Ok((1, Ok(6))));
        send(7);
        assert_eq!(set.messages().next(), Some(7));
        send(8);
        assert_eq!(Receive::recv(&mut set), Ok((1, Ok(8))));
        send(9);
        assert_eq!(Receive::try_recv(&mut set).ok(), Some((1, Ok(9))));
        assert!(!set.is_ready());
    });
}

/// A look changes neither the order of turns nor what is unread.
#[test]
fn looking_is_not_receiving() {
    watched(|| {
        let (mut chans, mut set) = streams(2);
        for (number, chan) in chans.iter_mut().enumerate() {
            chan.send(number).expect("the set is here");
        }
        for number in 0..2 {
            for _ in 0..3 {
                assert!(set.is_ready());
                assert!(poll(&mut set, Waker::noop()).is_ready());
                assert!(set.wait(Some(past())));
            }
            assert_eq!(set.recv(), Ok((number, Ok(number))));
        }
        assert!(!set.is_ready());
        assert!(poll(&mut set, Waker::noop()).is_pending());
    });
}

/// A close is something to receive.
#[test]
fn a_closed_member_is_served_by_each_verb() {
    watched(|| {
        type Verb = fn(&mut PortSet<Port<u64>>) -> Option<(usize, Result<u64, Closed>)>;
        let verbs: [Verb; 7] = [
            |set| set.recv().ok(),
            |set| set.try_recv().ok(),
            |set| set.recv_timeout(Duration::ZERO).ok(),
            |set| set.recv_deadline(past()).ok(),
            |set| block_on(set.recv_async()).ok(),
            |set| Receive::recv(set).ok(),
            |set| block_on(futures::StreamExt::next(set)),
        ];
        for verb in verbs {
            for told in [false, true] {
                let (mut chans, mut set) = streams(2);
                if told {
                    // The set has found no ready member, and is registered with both.
                    assert!(set.try_recv().is_err());
                }
                drop(chans.remove(0));
                assert!(set.is_ready());
                assert_eq!(verb(&mut set), Some((0, Err(Closed))));
                assert_eq!((set.len(), set.is_ready()), (1, false));
            }
        }
    });
}

#[test]
fn a_future_can_be_dropped_at_any_moment() {
    let (mut chans, mut set) = streams(2);
    let (bell, waker) = Bell::new();
    assert!(poll_future(&mut set.recv_async(), &waker).is_pending());
    chans[0].send(1).expect("the set is here");
    assert_eq!(bell.rings(), 1);
    // Woken, and dropped without another poll.
    assert_eq!(set.try_recv(), Ok((0, Ok(1))));
    chans[1].send(2).expect("the set is here");
    drop(set.recv_async());
    assert_eq!(poll_future(&mut set.recv_async(), &waker), Poll::Ready(Ok((1, Ok(2)))));
}

/// A set can be used wherever a receiver can, also a set of endpoints that are not streams.
#[test]
fn a_set_is_a_receiver_like_others() {
    fn first<R: Receive>(receiver: R) -> Option<R::Message> {
        receiver.recv_timeout(Duration::MAX).ok()
    }
    watched(|| {
        let mut set = PortSet::new();
        let (chan, port) = oneshot();
        set.insert(port);
        chan.send("once").expect("the set is here");
        assert_eq!(first(&mut set), Some((0, Ok("once"))));
        assert_eq!(first(&mut set), None);
    });
}
