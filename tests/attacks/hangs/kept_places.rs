//! Receivers of a shared port and their places in the line. A receiver that has registered must be woken, and
//! one that does not wait any more must not take another receiver's wake-up.

use futures::StreamExt;
use pipes::{TryRecvError, stream};
use pipes_tests::{Bell, caught, poll_future};
use std::time::Duration;

/// A task polls the stream, looks once more without waiting, and returns. It must still be woken, as with a
/// port of its own.
#[test]
fn a_look_between_a_poll_and_its_wake_up() {
    let (mut chan, mut port) = stream();
    let (bell, waker) = Bell::new();
    assert!(poll_future(&mut port.next(), &waker).is_pending());
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    chan.send(1).expect("it is here");
    assert_eq!(bell.rings(), 1, "a port");

    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let (bell, waker) = Bell::new();
    assert!(poll_future(&mut port.next(), &waker).is_pending());
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    chan.send(1).expect("it is here");
    assert_eq!(bell.rings(), 1, "a shared port");
}

/// A future that is dropped before its first poll must have changed nothing.
#[test]
fn a_future_between_a_poll_and_its_wake_up() {
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let (bell, waker) = Bell::new();
    assert!(poll_future(&mut port.next(), &waker).is_pending());
    drop(port.recv_async());
    chan.send(1).expect("it is here");
    assert_eq!(bell.rings(), 1);
}

/// A thread's receive ends by a panic: the destructor of the waker that was registered before, which the
/// receive replaces. The thread does not wait any more, so the next message must wake another receiver.
#[test]
fn a_receive_that_ends_by_a_panic() {
    let (mut chan, port) = stream();
    let mut kept = port.into_shared();
    let mut other = kept.clone();
    let old = Bell::at_last(|| panic!("a waker goes"));
    assert!(poll_future(&mut kept.next(), &old).is_pending());
    drop(old);
    // Longer and longer, because a receive without time is only a look.
    let mut times = (0..30).map(|doubled| Duration::from_micros(1 << doubled));
    assert!(times.any(|time| caught(|| kept.recv_timeout(time)).is_some()), "it replaces the waker");
    let (bell, waker) = Bell::new();
    let mut waiting = other.recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    chan.send(1).expect("two receivers are there");
    assert_eq!(bell.rings(), 1, "the message is there, and no receiver looks for it");
    drop(kept);
}
