//! Senders as sinks, ends as streams that know their end, and how much room there is.

use futures::executor::block_on;
use futures::stream::FusedStream;
use futures::{Sink, SinkExt, StreamExt};
use pipes::{
    Closed, Closing, PortSet, RecvError, RecvOrError, RecvTimeoutError, SendError, SendTimeoutError,
    SharedChan, TryRecvError, TrySendError,
};
use pipes_tests::{WakeCounter, begun, caught, poll_future};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

fn poll_ready<T>(chan: &mut SharedChan<T>, waker: &Waker) -> Poll<bool> {
    Pin::new(chan).poll_ready(&mut Context::from_waker(waker)).map(|ready| ready.is_ok())
}

fn start_send<T>(chan: &mut SharedChan<T>, value: T) -> Result<(), SendError<Option<T>>> {
    Pin::new(chan).start_send(value)
}

/// The close of a sink with many senders does not close the stream.
#[test]
fn an_unbounded_chan_with_many_senders() {
    block_on(async {
        let (mut chan, mut port) = pipes::shared_stream();
        SinkExt::feed(&mut chan, 1).await.unwrap();
        SinkExt::close(&mut chan).await.unwrap();
        chan.send(2).unwrap();
        drop(chan);
        assert_eq!((&mut port).collect::<Vec<_>>().await, [1, 2]);
        assert!(port.is_terminated());
    });
}

/// A bounded stream: the sink waits in the line, and has the room that it was granted until it sends.
#[test]
fn a_bounded_chan_with_many_senders() {
    let (mut chan, mut port) = pipes::shared_sync_stream(1);
    let mut other = chan.clone();
    let ((wakes, waker), (others_wakes, others_waker)) = (WakeCounter::new(), WakeCounter::new());
    assert_eq!(poll_ready(&mut chan, &waker), Poll::Ready(true));
    assert_eq!(poll_ready(&mut chan, &waker), Poll::Ready(true), "it is still its own");
    assert_eq!(poll_ready(&mut other, &others_waker), Poll::Pending);
    start_send(&mut chan, 1).unwrap();
    assert_eq!(start_send(&mut chan, 2).unwrap_err().into_payload(), Some(2), "it was not ready");
    assert_eq!(poll_ready(&mut chan, &waker), Poll::Pending, "behind the other one");
    assert_eq!(port.recv(), Ok(1));
    assert_eq!((wakes.count(), others_wakes.count()), (0, 1));
    assert_eq!(chan.try_send(3), Err(TrySendError::Full(3)), "the room is the other's");
    assert_eq!(poll_ready(&mut other, &others_waker), Poll::Ready(true));
    start_send(&mut other, 4).unwrap();
    assert_eq!(port.recv(), Ok(4));
    assert_eq!(wakes.count(), 1);
    assert_eq!(poll_ready(&mut chan, &waker), Poll::Ready(true));
    start_send(&mut chan, 5).unwrap();
    assert_eq!(port.recv(), Ok(5));
}

/// A sink that waits or has room, and is closed or dropped, passes it on; a clone has nothing of it.
#[test]
fn what_a_sink_has_reserved_goes_to_the_next() {
    for (granted, close) in [(false, false), (false, true), (true, false), (true, true)] {
        let (mut chan, mut port) = pipes::shared_sync_stream(1);
        let last = chan.clone();
        let (wakes, waker) = WakeCounter::new();
        if granted {
            assert_eq!(poll_ready(&mut chan, Waker::noop()), Poll::Ready(true));
        } else {
            last.send(0).unwrap();
            assert_eq!(poll_ready(&mut chan, Waker::noop()), Poll::Pending);
        }
        let mut next = begun(last.reserve_async(), &waker);
        drop(chan.clone());
        assert_eq!(wakes.count(), 0);
        if close {
            block_on(SinkExt::close(&mut chan)).unwrap();
        } else {
            drop(chan);
        }
        if !granted {
            assert_eq!((wakes.count(), port.recv()), (0, Ok(0)));
        }
        assert_eq!(wakes.count(), 1);
        let Poll::Ready(Ok(permit)) = poll_future(&mut next, &waker) else { panic!("it is its turn") };
        permit.send(1).unwrap();
        assert_eq!(port.recv(), Ok(1));
    }
}

/// A set has ended while it has no members.
#[test]
fn a_set_is_terminated() {
    block_on(async {
        let mut set = PortSet::<pipes::Port<u8>>::new();
        assert!(set.is_terminated());
        let mut chan = set.chan();
        assert!(!set.is_terminated());
        chan.send(1).unwrap();
        drop(chan);
        assert_eq!(set.next().await.map(|(_, message)| message), Some(Ok(1)));
        assert_eq!(set.next().await.map(|(_, message)| message), Some(Err(Closed)));
        assert!(set.is_terminated());
        assert_eq!(set.next().await, None);
        let _chan = set.chan();
        assert!(!set.is_terminated(), "a new member continues it");
    });
}

#[test]
fn capacities() {
    for capacity in [0, 1, 7] {
        let (chan, port) = pipes::sync_stream::<u8>(capacity);
        assert!(port.is_empty());
        assert_eq!((chan.capacity(), port.capacity()), (Some(capacity), Some(capacity)));
        let (chan, mut port) = pipes::shared_sync_stream::<u8>(capacity);
        assert_eq!((chan.capacity(), chan.clone().capacity()), (Some(capacity), Some(capacity)));
        drop(chan);
        assert!(port.recv().is_err());
        assert_eq!(port.capacity(), Some(capacity), "also when it has closed");
        let (chan, mut port) = pipes::sync_stream::<u8>(capacity);
        drop(chan);
        assert!(port.recv().is_err());
        assert_eq!(port.capacity(), Some(capacity));
        let (mut chan, port) = pipes::sync_stream::<u8>(capacity);
        drop(port);
        assert!(chan.send(1).is_err());
        assert_eq!(chan.capacity(), Some(capacity));
        block_on(SinkExt::close(&mut chan)).unwrap();
        assert_eq!(chan.capacity(), Some(capacity));
    }
    let ((one, port), (many, other)) = (pipes::stream::<u8>(), pipes::shared_stream::<u8>());
    assert_eq!([one.capacity(), port.capacity(), many.capacity(), other.capacity()], [None; 4]);
}

/// `?` works from the method that can fail in fewer ways to the one that can fail in more.
#[test]
fn errors_that_become_others() {
    assert_eq!(RecvError::from(Closed), RecvError);
    assert_eq!(TryRecvError::<()>::from(RecvError), TryRecvError::Closed);
    assert_eq!(RecvTimeoutError::<()>::from(RecvError), RecvTimeoutError::Closed);
    assert_eq!(RecvOrError::<(), ()>::from(RecvError), RecvOrError::Closed);
    let (mut chan, port) = pipes::stream();
    drop(port);
    assert_eq!(TrySendError::from(chan.send(1).unwrap_err()), TrySendError::Closed(1));
    assert_eq!(SendTimeoutError::from(chan.send(2).unwrap_err()), SendTimeoutError::Closed(2));
}

/// The room of a sink goes back although the destructor of a waker that watches for the close panics.
#[test]
fn a_watching_waker_that_panics_when_it_is_dropped() {
    for granted in [true, false] {
        let (chan, mut port) = pipes::shared_sync_stream(1);
        let mut other = chan.clone();
        if !granted {
            chan.send(0).unwrap();
        }
        assert_eq!(poll_ready(&mut other, Waker::noop()).is_ready(), granted);
        let watcher = WakeCounter::on_drop(|| panic!("a waker's destructor"));
        assert!(Closing::poll_closed(&mut other, &mut Context::from_waker(&watcher)).is_pending());
        assert!(caught(|| drop(watcher)).is_none(), "the chan has it, too");
        assert!(caught(|| drop(other)).is_some());
        if !granted {
            assert_eq!(port.recv(), Ok(0));
        }
        assert_eq!(chan.try_send(1), Ok(()));
        assert_eq!(port.recv(), Ok(1));
    }
}

/// A send as a sink that is cancelled keeps its place in the line until the sink is closed.
#[test]
fn a_cancelled_send() {
    let (mut chan, mut port) = pipes::shared_sync_stream(1);
    chan.send(1).unwrap();
    assert!(poll_future(&mut Box::pin(SinkExt::send(&mut chan, 2)), Waker::noop()).is_pending());
    assert_eq!(port.recv(), Ok(1));
    assert_eq!(chan.try_send(3), Err(TrySendError::Full(3)), "the room is its own, as a sink");
    block_on(SinkExt::close(&mut chan)).unwrap();
    chan.send(4).unwrap();
    assert_eq!(port.recv(), Ok(4));
    block_on(SinkExt::send(&mut chan, 5)).unwrap();
    assert_eq!(port.recv(), Ok(5));
}
