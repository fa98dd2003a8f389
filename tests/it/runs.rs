//! Several values in one call: nothing is lost when a call ends early.

use futures::executor::block_on;
use pipes::{RecvError, TryRecvError, TrySendError, shared_stream, stream, sync_stream};
use pipes_tests::{DropCounter, WakeCounter, begun, caught, panics, poll, poll_future};
use std::mem::forget;

#[test]
fn limits() {
    for (mut chan, mut port) in [stream(), sync_stream(100)] {
        let mut values = vec![0];
        assert_eq!(port.recv_many(&mut values, 0), Ok(0), "nothing is asked for");
        let mut none = Vec::new();
        assert_eq!(port.try_recv_many(&mut none, 5), Err(TryRecvError::Empty(())));
        assert_eq!(none.capacity(), 0, "nothing is allocated for nothing");
        chan.send_all(&mut Vec::new()).unwrap();
        chan.send_all(&mut (1..=100).collect()).unwrap();
        assert_eq!(port.recv_many(&mut values, 1), Ok(1));
        assert_eq!(port.recv_many(&mut values, usize::MAX), Ok(99));
        assert!(values.into_iter().eq(0..=100), "appended");
        drop(chan);
        assert_eq!(port.recv_many(&mut Vec::new(), 0), Ok(0));
        assert_eq!(port.recv_many(&mut Vec::new(), 5), Err(RecvError));
        assert_eq!(port.try_recv_many(&mut Vec::new(), 5), Err(TryRecvError::Closed));
    }
}

#[test]
fn a_port_that_has_gone_leaves_all_values() {
    let drops = DropCounter::new();
    let mut values: Vec<_> = (0..100).map(|number| drops.make(number)).collect();
    let (chan, port) = shared_stream();
    drop(port);
    assert!(chan.send_all(&mut values).is_err());
    for (mut chan, port) in [stream(), sync_stream(0), sync_stream(1)] {
        drop(port);
        assert_eq!(chan.try_send_all(&mut values), Err(TrySendError::Closed(())));
        assert!(block_on(chan.send_all_async(&mut values)).is_err());
        assert!(chan.send_all(&mut values).is_err());
    }
    assert!(values.iter().map(|value| value.number).eq(0..100));
    drop(values);
    drops.assert_all_dropped();
}

#[test]
fn a_run_wakes_once() {
    for (mut chan, mut port) in [stream(), sync_stream(8)] {
        let (wakes, waker) = WakeCounter::new();
        assert!(poll(&mut port, &waker).is_pending());
        chan.send_all(&mut vec![0, 1, 2]).unwrap();
        assert_eq!(wakes.count(), 1);
        let mut values = Vec::new();
        assert!(poll_future(&mut port.recv_many_async(&mut values, 8), &waker).is_ready());
        assert_eq!(values, [0, 1, 2]);
    }
    let (mut chan, mut port) = sync_stream(3);
    chan.send_all(&mut vec![0, 1, 2]).unwrap();
    let (wakes, waker) = WakeCounter::new();
    let mut rest = vec![3, 4];
    let mut sending = begun(chan.send_all_async(&mut rest), &waker);
    assert_eq!(port.recv_many(&mut Vec::new(), 3), Ok(3));
    assert_eq!(wakes.count(), 1);
    assert!(poll_future(&mut sending, &waker).is_ready());
}

/// A future that is dropped gives back what it has not sent; one that is forgotten keeps it.
#[test]
fn futures_that_are_dropped_or_forgotten() {
    for (capacity, forgotten) in [(0, false), (1, false), (3, false), (0, true), (1, true), (3, true)] {
        let (mut chan, mut port) = sync_stream(capacity);
        let mut values: Vec<_> = (0..10).collect();
        let (_wakes, waker) = WakeCounter::new();
        let sending = begun(chan.send_all_async(&mut values), &waker);
        if forgotten {
            forget(sending);
            values.push(capacity);
        } else {
            drop(sending);
        }
        assert!(values.iter().copied().eq(capacity..if forgotten { capacity + 1 } else { 10 }));
        // At capacity 0, the first value of a forgotten future is still offered.
        assert!(port.try_iter().eq(0..if forgotten { capacity.max(1) } else { capacity }));
        drop(chan);
        assert_eq!(port.recv(), Err(RecvError));
    }
}

/// A waker that panics: what was sent before is sent, and the rest is left.
#[test]
fn a_waker_that_panics() {
    let panicking = || WakeCounter::on_wake(panics).1;
    for (mut chan, mut port) in [stream(), sync_stream(4)] {
        let drops = DropCounter::new();
        assert!(poll(&mut port, &panicking()).is_pending());
        let mut values: Vec<_> = (0..200).map(|number| drops.make(number)).collect();
        assert!(caught(|| chan.send_all(&mut values)).is_some());
        let left: Vec<_> = values.iter().map(|value| value.number).collect();
        assert!(!left.is_empty() && left.len() < 200, "a run was sent");
        let mut sent = Vec::new();
        port.recv_many(&mut sent, 200).unwrap();
        assert!(sent.iter().map(|value| value.number).chain(left).eq(0..200));
        drop((values, sent));
        drops.assert_all_dropped();
    }
    // The other way: a receiver wakes a sender that waits for room.
    for limit in [1, 2] {
        let drops = DropCounter::new();
        let (mut chan, mut port) = sync_stream(2);
        let mut values: Vec<_> = (0..3).map(|number| drops.make(number)).collect();
        let waker = panicking();
        assert!(poll_future(&mut chan.send_all_async(&mut values), &waker).is_pending());
        assert_eq!(values.len(), 1);
        let sending = begun(chan.send_all_async(&mut values), &waker);
        let mut received = Vec::new();
        assert!(caught(|| port.recv_many(&mut received, limit)).is_some());
        assert_eq!(received.len(), limit, "what was received is not lost");
        drop(sending);
        assert_eq!(values.len(), 1);
        drop((values, received, chan, port));
        drops.assert_all_dropped();
    }
}
