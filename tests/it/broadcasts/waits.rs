//! Receivers that wait: as threads, tasks, members of sets and arms of selections.

use futures::StreamExt;
use pipes::{
    Closed, Lagged, PortSet, Readiness, RecvTimeoutError, TryRecvError, broadcast, broadcast_lagging, select,
    stream,
};
use pipes_tests::{WakeCounter, caught, panics, poll, poll_future, spawn, test_in, watched};
use std::task::{Poll, Waker};
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
fn members_of_a_set() {
    let (chan, port) = broadcast(2);
    let mut set: PortSet<_> = [port.clone(), port.subscribe()].into_iter().collect();
    drop(port);
    assert!(set.try_recv().is_err());
    chan.send(1).expect("it has receivers");
    chan.send(2).expect("it has receivers");
    let received: Vec<_> = (0..4).map(|_| set.try_recv().expect("it was sent")).collect();
    assert_eq!(received, [(0, Ok(1)), (1, Ok(1)), (0, Ok(2)), (1, Ok(2))]);
    let waiting = spawn(move || {
        let closed = [set.recv(), set.recv()].map(|it| it.expect("it has members").1);
        assert_eq!(closed, [Err(Closed), Err(Closed)]);
    });
    drop(chan);
    waiting.join().expect("both close");
}

#[test]
fn lagging_members_of_a_set() {
    let (chan, port) = broadcast_lagging(1);
    let mut set: PortSet<_> = [port].into_iter().collect();
    (0..3).for_each(|number| chan.send(number).expect("it has a receiver"));
    assert_eq!(set.try_recv(), Ok((0, Ok(Err(Lagged(2))))));
    assert_eq!(set.try_recv(), Ok((0, Ok(Ok(2)))));
}

#[test_in(watched)]
fn arms_of_a_selection() {
    let (chan, mut port) = broadcast(1);
    let (mut other_chan, mut other) = stream::<u64>();
    let (lagging_chan, mut lagging) = broadcast_lagging(1);
    for number in 0..100 {
        let sending = match number % 3 {
            0 => spawn({
                let chan = chan.clone();
                move || chan.send(number).is_ok()
            }),
            1 => spawn({
                let chan = lagging_chan.clone();
                move || chan.send(number).is_ok()
            }),
            _ => {
                assert!(other_chan.send(number).is_ok());
                spawn(|| true)
            }
        };
        let received = pipes::select! {
            message = port => message.map(|it| (0, it)),
            message = lagging => message.map(|it| (1, it.expect("it is in time"))),
            message = other => message.map(|it| (2, it)),
        };
        assert_eq!(received, Ok((number % 3, number)));
        assert!(sending.join().expect("it does not panic"));
    }
    let mut two = [port.clone(), port.clone()];
    chan.send(1).expect("it has receivers");
    let (index, message, _) = select(two.iter_mut().collect());
    assert!(index < 2 && message == Ok(1));
}

#[test]
fn arms_of_a_selection_in_a_task() {
    let (chan, mut port) = broadcast(1);
    let (_other, mut idle) = broadcast_lagging::<u64>(1);
    let sending = spawn(move || chan.send(5).is_ok());
    let received = futures::executor::block_on(async {
        pipes::select_async! {
            message = port => message,
            message = idle => message.map(|it| it.expect("nothing was sent")),
        }
    });
    assert_eq!(received, Ok(5));
    assert!(sending.join().expect("it does not panic"));
}

#[test]
fn a_port_is_a_stream() {
    let (chan, mut port) = broadcast(2);
    let (wakes, waker) = WakeCounter::new();
    assert!(poll_future(&mut port.next(), &waker).is_pending());
    chan.send(1).expect("it has a receiver");
    assert_eq!(wakes.count(), 1);
    assert_eq!(poll_future(&mut port.next(), &waker), Poll::Ready(Some(1)));
    drop(chan);
    assert_eq!(poll_future(&mut port.next(), Waker::noop()), Poll::Ready(None));
    assert_eq!(port.try_recv(), Err(TryRecvError::Closed));
}
