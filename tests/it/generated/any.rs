//! Endpoints whose state is known only at run time, at every position and with every verb.

use super::sides::{any_bounded, any_unbounded};
use super::walk::{Got, Position, Side, everywhere};
use futures::executor::block_on;
use pipes::{Receive, RecvTimeoutError, TryRecvError};
use pipes_tests::{DropCounter, WakeCounter, poll, poll_future, watched};
use std::fmt::Debug;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// At most this many messages lead to a position. They reach every state, with unread messages and without.
const MOST: usize = 4;

/// A receive: gives the message; or the endpoint, if nothing was sent yet; or `None`, if the other side has
/// left.
type Verb<E> = fn(E) -> Result<<E as Receive>::Message, Option<E>>;

fn empty<E>(error: TryRecvError<E>) -> Option<E> {
    match error {
        TryRecvError::Empty(end) => Some(end),
        TryRecvError::Closed => None,
    }
}

fn timeout<E>(error: RecvTimeoutError<E>) -> Option<E> {
    match error {
        RecvTimeoutError::Timeout(end) => Some(end),
        RecvTimeoutError::Closed => None,
    }
}

/// All verbs. The first `HURRIED` of them do not wait.
fn verbs<E: Receive>() -> [Verb<E>; VERBS] {
    [
        |end| end.try_recv().map_err(empty),
        |end| end.recv_timeout(Duration::ZERO).map_err(timeout),
        |end| end.recv_deadline(Instant::now()).map_err(timeout),
        |end| {
            let mut receiving = end.recv_async();
            // Up to four polls may give way.
            let mut polls = (0..5).map(|_| poll_future(&mut receiving, Waker::noop()));
            match polls.find(Poll::is_ready) {
                Some(Poll::Ready(received)) => received.map_err(|_| None),
                _ => Err(receiving.into_inner()),
            }
        },
        |mut end| match poll_future(&mut end.ready(), Waker::noop()) {
            Poll::Ready(()) => end.try_recv().map_err(|_| None),
            Poll::Pending => Err(Some(end)),
        },
        // The verbs from here on wait.
        |end| end.recv().map_err(|_| None),
        |end| end.recv_timeout(Duration::MAX).map_err(timeout),
        |end| end.recv_deadline(Instant::now() + Duration::from_secs(100_000)).map_err(timeout),
        |end| block_on(end.recv_async()).map_err(|_| None),
        |mut end| {
            block_on(end.ready());
            end.try_recv().map_err(|_| None)
        },
        |mut end| {
            assert!(end.wait(None));
            end.try_recv().map_err(|_| None)
        },
    ]
}

const VERBS: usize = 11;
const HURRIED: usize = 5;

/// What a receive on a side will find.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outlook {
    Message,
    Nothing,
    Close,
    OwnTurn,
}

/// Tries one verb on the side in the client's place, while the other side is there or after it has left. With
/// `narrow`, the type of the side's endpoint has only receiving states.
fn try_verb<A: Side, B: Side>(position: Position<A, B>, verb: usize, deserted: bool, narrow: bool) {
    let Position { client: Some(mut end), server: other, unread, way } = position else { return };
    let _other = other.filter(|_| !deserted);
    let outlook = match unread {
        [mine, _] if mine > 0 => Outlook::Message,
        _ if end.sends() => Outlook::OwnTurn,
        _ if deserted => Outlook::Close,
        _ => Outlook::Nothing,
    };
    look(&mut end, outlook);
    if outlook == Outlook::Nothing && verb >= HURRIED {
        return;
    }
    let state = format!("{end:?}");
    let received = if narrow {
        let receiving = end.receiving();
        assert_eq!(receiving.is_none(), outlook == Outlook::OwnTurn, "{state}");
        let Some(mut end) = receiving else { return };
        assert_eq!(format!("{end:?}"), state);
        look(&mut end, outlook);
        verbs()[verb](end).map(A::received).map_err(|back| back.map(A::Receiving::into))
    } else {
        verbs()[verb](end).map(A::got)
    };
    let (found, back) = match received {
        Ok(Got::Next(_) | Got::Last) => (Outlook::Message, None),
        Ok(Got::NotMine(end)) => (Outlook::OwnTurn, Some(end)),
        Err(Some(end)) => (Outlook::Nothing, Some(end)),
        Ok(Got::Closed) | Err(None) => (Outlook::Close, None),
    };
    assert_eq!(found, outlook, "verb {verb} of {state} after {way:?}");
    assert!(back.is_none_or(|end| format!("{end:?}") == state), "it comes back as it was");
}

/// Looks at a side in all ways that do not use it up.
fn look<E: Receive + Debug>(end: &mut E, outlook: Outlook) {
    let (wakes, waker) = WakeCounter::new();
    let seen = (end.is_ready(), end.is_closed());
    let is_ready = matches!(outlook, Outlook::Message | Outlook::OwnTurn);
    assert_eq!(seen, (is_ready, outlook == Outlook::Close), "{end:?}");
    assert_eq!(poll(end, &waker).is_pending(), outlook == Outlook::Nothing, "{end:?}");
    assert_eq!(end.wait(Some(Instant::now())), outlook != Outlook::Nothing, "{end:?}");
    wakes.gives_way(|time| assert!(!end.wait(Instant::now().checked_add(time)), "{end:?}"));
    assert_eq!((wakes.count(), wakes.wakers()), (0, 1), "a thread that waits takes the place of the task");
}

fn every_verb_everywhere<C: Side, S: Side>(pipe: fn() -> (C, S)) {
    watched(move || {
        for verb in 0..VERBS {
            for (deserted, narrow) in [(false, false), (false, true), (true, false), (true, true)] {
                everywhere(pipe, MOST, |position, _| try_verb(position, verb, deserted, narrow));
                everywhere(pipe, MOST, |position, _| try_verb(position.turned(), verb, deserted, narrow));
            }
        }
    });
}

#[test]
fn every_verb_in_a_bounded_protocol() {
    every_verb_everywhere(any_bounded);
}

#[test]
fn every_verb_in_an_unbounded_protocol() {
    every_verb_everywhere(any_unbounded);
}

/// If the side in the client's place has to wait, its task is woken by the next message.
fn task_is_woken<A: Side, B: Side>(position: Position<A, B>, drops: &DropCounter) {
    let Position { client: Some(mut waits), server: Some(other), unread: [0, 0], .. } = position else {
        return;
    };
    if !waits.sends() {
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut waits, &waker).is_pending());
        let sent = other.send(0, drops);
        assert_eq!(wakes.count(), 1);
        assert!(matches!(waits.receive(), Got::Next(_)));
        drop(sent);
    }
}

#[test]
fn a_task_is_woken_everywhere() {
    everywhere(any_bounded, MOST, task_is_woken);
    everywhere(any_unbounded, MOST, task_is_woken);
    everywhere(any_unbounded, MOST, |position, drops| task_is_woken(position.turned(), drops));
}
