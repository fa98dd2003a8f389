//! What the table does not show of the receiving verbs: deadlines, and endpoints that come back.

use futures::executor::block_on;
use pipes::{Receive, RecvError, RecvTimeoutError, TryRecvError};
use pipes_tests::pingpong;
use pipes_tests::{WakeCounter, begun, poll_future, test_in, watched};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

type Verb<E> = fn(E) -> Option<<E as Receive>::Message>;

/// A receiver that has nothing to receive comes back; one that has a message, or is closed, says so, however
/// late it is.
fn every_verb<E: Receive, S>(pipe: impl Fn() -> (S, E), send: impl Fn(S)) {
    let now = Instant::now();
    let past = now.checked_sub(Duration::from_millis(1)).unwrap_or(now);
    let far = now + Duration::from_secs(100_000);
    let (sender, mut receiver) = pipe();
    for _ in 0..3 {
        let Err(TryRecvError::Empty(same)) = receiver.try_recv() else { panic!("nothing was sent") };
        let late = same.recv_timeout(Duration::ZERO);
        let Err(RecvTimeoutError::Timeout(same)) = late else { panic!("nothing was sent") };
        let late = same.recv_deadline(past);
        let Err(RecvTimeoutError::Timeout(same)) = late else { panic!("nothing was sent") };
        let waiting = begun(same.recv_async(), Waker::noop());
        receiver = waiting.into_inner().expect("it is not done");
    }
    send(sender);
    assert!(receiver.recv_deadline(past).is_ok());

    let verbs: [Verb<E>; 6] = [
        |receiver| receiver.try_recv().ok(),
        |receiver| receiver.recv().ok(),
        |receiver| receiver.recv_timeout(Duration::ZERO).ok(),
        |receiver| receiver.recv_timeout(Duration::MAX).ok(),
        |receiver| receiver.recv_timeout(Duration::from_secs(u64::MAX / 4)).ok(),
        |receiver| block_on(receiver.recv_async()).ok(),
    ];
    for verb in verbs {
        let (sender, receiver) = pipe();
        send(sender);
        assert!(verb(receiver).is_some());
        let (sender, receiver) = pipe();
        drop(sender);
        assert!(verb(receiver).is_none());
    }
    for deadline in [past, far] {
        let (sender, receiver) = pipe();
        send(sender);
        assert!(receiver.recv_deadline(deadline).is_ok());
        let (sender, receiver) = pipe();
        drop(sender);
        assert!(receiver.recv_deadline(deadline).is_err_and(|error| error.is_closed()));
    }
}

#[test_in(watched)]
fn every_verb_of_every_receiver() {
    every_verb(pingpong::pipe, |client: pingpong::Client<_>| drop(client.ping(5)));
    every_verb(pipes::oneshot, |chan: pipes::ChanOne<_>| chan.send(7).unwrap());
}

#[test]
fn a_future_polled_after_it_is_done() {
    let (chan, port) = pipes::oneshot();
    let mut receiving = port.recv_async();
    chan.send(4).unwrap();
    assert_eq!(poll_future(&mut receiving, Waker::noop()), Poll::Ready(Ok(4)));
    for _ in 0..3 {
        assert_eq!(poll_future(&mut receiving, Waker::noop()), Poll::Ready(Err(RecvError)));
    }
    assert!(receiving.into_inner().is_none());
}

/// The future of a port gives the borrow back.
#[test]
fn a_future_of_a_port() {
    let (wakes, waker) = WakeCounter::new();
    let (mut chan, mut port) = pipes::stream();
    let receiving = begun(port.recv_async(), &waker);
    chan.send(1).unwrap();
    assert_eq!(receiving.into_inner().unwrap().recv_deadline(Instant::now()), Ok(1));
    assert_eq!((wakes.count(), wakes.wakers()), (1, 1));
}

#[test]
fn errors_and_ends_can_be_printed() {
    let (chan, port) = pipes::oneshot::<u64>();
    let Err(error) = port.try_recv() else { panic!("nothing was sent") };
    assert_eq!(
        (error.to_string(), format!("{error:?}")),
        ("nothing was sent yet".into(), "Empty(..)".into())
    );
    assert_eq!(RecvTimeoutError::Timeout(error).to_string(), "nothing was sent in time");
    let error: Box<dyn std::error::Error> = Box::new(chan.send(1).unwrap_err());
    assert_eq!(error.to_string(), "the receiver has left");
    assert_eq!(RecvError.to_string(), "the sender has left");
    let (client, server) = pingpong::pipe::<u64>();
    assert_eq!(format!("{client:?} {server:?}"), "Client<Ping<u64>> Server<Ping<u64>>");
}
