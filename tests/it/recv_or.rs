//! A receive or another future: `recv_or`.

use futures::executor::block_on;
use pipes::{Receive, RecvOrError};
use pipes_tests::{DropCounter, WakeCounter, begun, caught, poll_future};
use std::future::{pending, ready};
use std::task::{Poll, Waker};

/// A receive beside another future: the message comes first, then the other future, which gives the endpoint
/// back.
#[test]
fn a_receive_or_another_future() {
    let (chan, port) = pipes::oneshot();
    let (wakes, waker) = WakeCounter::new();
    let mut receive = begun(Box::pin(port.recv_or(pending::<()>())), &waker);
    chan.send(1).expect("the port is here");
    assert_eq!(wakes.count(), 1);
    assert!(matches!(poll_future(&mut receive, &waker), Poll::Ready(Ok(1))));

    let (chan, port) = pipes::oneshot();
    let Err(RecvOrError::Other(port, "stop")) = block_on(port.recv_or(ready("stop"))) else {
        panic!("nothing was sent");
    };
    chan.send(2).expect("the port was given back");
    assert_eq!(block_on(port.recv_or(ready("stop"))).ok(), Some(2), "both are ready");

    let (chan, port) = pipes::oneshot::<u8>();
    drop(chan);
    assert!(matches!(block_on(port.recv_or(pending::<()>())), Err(RecvOrError::Closed)));
}

/// Two receives side by side lose no message, also where one of them gives way.
#[test]
fn a_receive_or_another_receive_loses_nothing() {
    let ((mut left, mut port), (mut right, mut other)) = (pipes::stream(), pipes::stream());
    for number in 0..1_000 {
        left.send(number).expect("the port is here");
        right.send(number).expect("the port is here");
    }
    drop((left, right));
    let mut received = (Vec::new(), Vec::new());
    block_on(async {
        loop {
            match port.recv_or(other.recv_async()).await {
                Ok(number) => received.0.push(number),
                Err(RecvOrError::Other((), number)) => received.1.extend(number),
                Err(RecvOrError::Closed) => break,
            }
        }
    });
    received.1.extend(other);
    assert!(received.0.iter().eq(&received.1) && received.0.into_iter().eq(0..1_000));
}

/// The other future is dropped with the receive, and its destructor panics: the message is dropped with the
/// panic. (It was once leaked.)
#[test]
fn another_future_whose_destructor_panics() {
    let drops = DropCounter::new();
    let (chan, port) = pipes::oneshot();
    chan.send(drops.make(1)).expect("the port is here");
    let bomb = drops.make_panicking(2);
    let other = async move { drop(bomb) };
    assert!(caught(|| block_on(port.recv_or(other))).is_some(), "the panic is not swallowed");
    drops.assert_all_dropped();
}

/// A port is borrowed, also when the future is dropped; so is a set.
#[test]
fn a_receive_of_a_port_or_another_future() {
    let (mut chan, mut port) = pipes::stream();
    assert_eq!(block_on(port.recv_or(ready(7))), Err(RecvOrError::Other((), 7)));
    assert!(poll_future(&mut Box::pin(port.recv_or(pending::<()>())), Waker::noop()).is_pending());
    chan.send(1).expect("the port is here");
    assert_eq!(block_on(port.recv_or(ready(7))), Ok(1));

    let mut set = pipes::PortSet::new();
    let key = set.insert(port);
    let Err(RecvOrError::Other(set, 7)) = block_on(Receive::recv_or(&mut set, ready(7))) else {
        panic!("nothing was sent");
    };
    chan.send(2).expect("the set is here");
    assert_eq!(block_on(Receive::recv_or(set, ready(7))).ok(), Some((key, Ok(2))));
}
