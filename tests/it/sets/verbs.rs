//! The receiving methods of sets: with members that are ready, idle and closed, and without members.

use super::streams;
use futures::StreamExt;
use futures::executor::block_on;
use pipes::{
    Closed, Port, PortSet, Readiness, Receive, RecvTimeoutError, SetEmpty, TryRecvError, oneshot, stream,
};
use pipes_tests::{poll, poll_future, test_in, watched};
use std::task::Waker;
use std::time::{Duration, Instant};

type Turn = (usize, Result<u64, Closed>);

/// A way to receive. It gives nothing if no member is ready, or if there are none.
type Way = fn(&mut PortSet<Port<u64>>) -> Option<Turn>;

/// A point in time that has passed.
fn past() -> Instant {
    let now = Instant::now();
    now.checked_sub(Duration::from_millis(1)).unwrap_or(now)
}

/// Those that wait for ever if no member is ready.
const PATIENT: [Way; 7] = [
    |set| set.recv().ok(),
    |set| set.recv_timeout(Duration::MAX).ok(),
    |set| block_on(set.recv_async()).ok(),
    |set| block_on(set.next()),
    |set| Receive::recv(set).ok(),
    |set| {
        block_on(set.ready());
        set.try_recv().ok()
    },
    |set| {
        assert!(set.wait(None));
        set.try_recv().ok()
    },
];

const IMPATIENT: [Way; 5] = [
    |set| set.try_recv().ok(),
    |set| set.recv_timeout(Duration::ZERO).ok(),
    |set| set.recv_timeout(Duration::from_micros(50)).ok(),
    |set| set.recv_deadline(past()).ok(),
    |set| {
        let waited = set.wait(Some(past()));
        assert_eq!(waited, poll(set, Waker::noop()).is_ready());
        assert_eq!(waited, poll_future(&mut set.ready(), Waker::noop()).is_ready());
        assert_eq!(waited, set.is_ready() || Readiness::is_closed(set));
        set.try_recv().ok()
    },
];

/// What each way receives in each situation. Looks change nothing.
#[test_in(watched)]
fn each_way_in_each_situation() {
    for (looks, way) in [false, true]
        .into_iter()
        .flat_map(|looks| PATIENT.into_iter().chain(IMPATIENT).map(move |way| (looks, way)))
    {
        let (mut chans, mut set) = streams(3);
        // The set has found no ready member, and is registered with all.
        assert!(!looks || poll(&mut set, Waker::noop()).is_pending());
        chans[1].send(5).expect("the set is here");
        assert_eq!(way(&mut set), Some((1, Ok(5))));
        assert!(!set.is_ready());
        drop(chans.remove(2));
        assert_eq!(way(&mut set), Some((2, Err(Closed))));
        assert_eq!((set.len(), set.is_ready()), (2, false));
        assert!(set.remove(&0).is_some());
        drop(chans);
        assert_eq!(way(&mut set), Some((1, Err(Closed))));
        for mut empty in [set, PortSet::new()] {
            assert!(!empty.is_ready() && Readiness::is_closed(&empty));
            assert_eq!([way(&mut empty), way(&mut empty)], [None; 2]);
            assert_eq!((empty.recv(), empty.messages().next()), (Err(SetEmpty), None));
            assert_eq!(empty.try_recv(), Err(TryRecvError::Closed));
            assert_eq!(empty.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Closed));
        }
    }
    for way in IMPATIENT {
        let (mut chans, mut set) = streams(2);
        assert_eq!([way(&mut set), way(&mut set)], [None; 2]);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        chans[1].send(5).expect("the set is here");
        assert_eq!([way(&mut set), way(&mut set)], [Some((1, Ok(5))), None]);
    }
}

/// A stream of `futures`, and the iterator over messages, end when there are no members, but not for good.
#[test_in(watched)]
fn the_end_of_a_stream_is_not_for_good() {
    fn unpin<S: futures::Stream + Unpin>(_: &S) {}
    let mut set = PortSet::new();
    unpin(&set);
    for number in 0..3 {
        assert_eq!(block_on(set.next()), None);
        let (chan, port) = oneshot();
        let key = set.insert(port);
        chan.send(number).expect("the set is here");
        assert_eq!(block_on(set.next()), Some((key, Ok(number))));
    }
    let (mut chan, port) = stream();
    chan.send(7).expect("the port is here");
    drop(chan);
    let mut set: PortSet<_> = [port].into_iter().collect();
    assert!(set.messages().eq([7]) && set.is_empty());
    let (mut chan, port) = stream();
    chan.send(8).expect("the port is here");
    set.insert(port);
    assert_eq!(set.messages().next(), Some(8));
}
