//! Receivers that wait. What one receiver shows is in the table.

use pipes::{Lagged, PortSet, Readiness, RecvTimeoutError, broadcast, broadcast_lagging};
use pipes_tests::{WakeCounter, caught, panics, poll, poll_future, test_in, watched};
use std::task::Poll;
use std::time::Duration;

#[test]
fn a_message_wakes_all_receivers_that_wait() {
    let (chan, port) = broadcast(4);
    let mut waiting: Vec<_> = (0..3).map(|_| (port.clone(), WakeCounter::new())).collect();
    assert!(waiting.iter_mut().all(|(port, (_, waker))| poll(port, waker).is_pending()));
    chan.send(1).expect("it has receivers");
    for (port, (wakes, waker)) in &mut waiting {
        assert_eq!(wakes.count(), 1);
        assert_eq!(poll_future(&mut port.recv_async(), waker), Poll::Ready(Ok(1)));
        assert!(poll(port, waker).is_pending());
    }
    drop(chan);
    assert!(waiting.iter_mut().all(|(port, (wakes, _))| wakes.count() == 2 && port.is_closed()));
    assert_eq!(port.clone().try_recv(), Ok(1));
}

/// A receiver that has received what woke it, in another way, waits for the next message.
#[test_in(watched)]
fn a_wake_up_for_a_message_that_was_received() {
    let (chan, mut port) = broadcast(4);
    let (wakes, waker) = WakeCounter::new();
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(1).expect("it has a receiver");
    assert_eq!(port.try_recv(), Ok(1));
    assert!(poll(&mut port, &waker).is_pending(), "no false alarm");
    assert_eq!(wakes.count(), 1);
    chan.send(2).expect("it has a receiver");
    assert_eq!(wakes.count(), 2, "it waits again");
    assert_eq!(port.try_recv(), Ok(2));
    assert!(!Readiness::wait(&mut port, Some(std::time::Instant::now())), "no false alarm");
    assert_eq!(port.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
}

/// The waker that was registered last counts. A receiver that is dropped wakes nothing.
#[test]
fn the_last_waker_counts() {
    let (chan, mut port) = broadcast_lagging(1);
    let ((first, one), (second, two)) = (WakeCounter::new(), WakeCounter::new());
    let mut other = port.clone();
    assert!(poll(&mut port, &one).is_pending());
    assert!(poll(&mut port, &two).is_pending());
    assert!(poll(&mut other, &one).is_pending());
    drop(other);
    chan.send(1).expect("it has a receiver");
    assert_eq!((first.count(), second.count()), (0, 1));
}

/// All are woken, though a waker panics; the message was sent.
#[test]
fn a_waker_that_panics_does_not_stop_the_others() {
    let (chan, mut one) = broadcast(1);
    let (mut two, (_, bad), (wakes, good)) = (one.clone(), WakeCounter::on_wake(panics), WakeCounter::new());
    assert!(poll(&mut one, &bad).is_pending());
    assert!(poll(&mut two, &good).is_pending());
    assert!(caught(|| chan.send(1).is_ok()).is_some(), "the panic is not swallowed");
    assert_eq!(wakes.count(), 1);
    assert_eq!((one.try_recv(), two.try_recv()), (Ok(1), Ok(1)));
}

#[test]
fn lagging_members_of_a_set() {
    let (chan, port) = broadcast_lagging(1);
    let mut set: PortSet<_> = [port].into_iter().collect();
    (0..3).for_each(|number| chan.send(number).expect("it has a receiver"));
    assert_eq!(set.try_recv(), Ok((0, Ok(Err(Lagged(2))))));
    assert_eq!(set.try_recv(), Ok((0, Ok(Ok(2)))));
}
