//! Bounded streams with many senders: wakers that call into the stream, or panic there; requests that are
//! granted and not used; permits that outlive the port.

use pipes::{SendTimeoutError, SharedChan, TrySendError, shared_sync_stream};
use pipes_tests::{Bell, Tally, caught, poll_future, watched};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

fn panics() {
    std::panic::resume_unwind(Box::new("on purpose"));
}

/// Asserts that exactly this much room is free.
#[track_caller]
fn assert_free(chan: &SharedChan<u64>, room: usize) {
    let permits: Vec<_> = (0..room).map(|_| chan.try_reserve().expect("there is room")).collect();
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())), "there is no more room than that");
    drop(permits);
}

/// A receive makes room and calls the waker of the first in the line, which panics: what it was granted is
/// not lost, and the others keep their places.
#[test]
fn a_waker_that_panics_in_a_receive() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        let (_bell, waker) = Bell::that(panics);
        let (next, next_waker) = Bell::new();
        let (mut first, mut second) = (chan.reserve_async(), chan.send_async(3));
        assert!(poll_future(&mut first, &waker).is_pending());
        assert!(poll_future(&mut second, &next_waker).is_pending());
        assert!(caught(|| port.try_recv()).is_some(), "the panic is not swallowed");
        assert_eq!(next.rings(), 0, "there is room for the first only");
        let Poll::Ready(Ok(permit)) = poll_future(&mut first, Waker::noop()) else {
            panic!("it was granted")
        };
        drop(permit);
        assert_eq!(next.rings(), 1);
        assert_eq!(poll_future(&mut second, &next_waker), Poll::Ready(Ok(())));
        assert_eq!(port.recv(), Ok(3));
        drop((first, second));
        assert_free(&chan, 1);
    });
}

/// A panic in one waker does not keep the others from being called, nor the values from being received.
#[test]
fn a_waker_that_panics_among_others() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(3);
        (0..3).for_each(|number| chan.send(number).expect("the port is here"));
        let bells = [Bell::new(), Bell::that(panics), Bell::new()];
        let mut requests = [(); 3].map(|()| chan.reserve_async());
        for (request, (_, waker)) in requests.iter_mut().zip(&bells) {
            assert!(poll_future(request, waker).is_pending());
        }
        let mut received = Vec::new();
        assert!(caught(|| port.recv_many(&mut received, 3)).is_some());
        assert_eq!(received, [0, 1, 2]);
        assert!(bells.iter().all(|(bell, _)| bell.rings() == 1), "all three are called");
        drop(requests);
        assert_free(&chan, 3);
    });
}

/// A permit is dropped in a panic, and the waker that this calls panics as well: no abort, nothing lost.
#[test]
fn a_waker_that_panics_while_a_panic_drops_a_permit() {
    watched(|| {
        let (chan, _port) = shared_sync_stream::<u64>(1);
        let permit = chan.reserve().expect("the port is here");
        let (bell, waker) = Bell::that(panics);
        let mut request = chan.reserve_async();
        assert!(poll_future(&mut request, &waker).is_pending());
        let panic = caught(move || {
            let _permit = permit;
            panics();
        });
        assert!(panic.is_some() && bell.rings() == 1);
        assert!(poll_future(&mut request, &waker).is_ready());
        drop(request);
        assert_free(&chan, 1);
    });
}

/// Every waker that waits when the port is dropped is called, though one of them panics.
#[test]
fn a_waker_that_panics_when_the_port_is_dropped() {
    watched(|| {
        let (chan, port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        let bells = [Bell::that(panics), Bell::new(), Bell::that(panics)];
        let mut requests = [(); 3].map(|()| chan.reserve_async());
        for (request, (_, waker)) in requests.iter_mut().zip(&bells) {
            assert!(poll_future(request, waker).is_pending());
        }
        assert!(caught(|| drop(port)).is_some());
        for (mut request, (bell, _)) in requests.into_iter().zip(&bells) {
            assert_eq!(bell.rings(), 1);
            assert!(matches!(poll_future(&mut request, Waker::noop()), Poll::Ready(Err(_))));
        }
        assert!(chan.send(2).is_err() && chan.reserve().is_err());
    });
}

/// A waker whose destructor panics, or calls into the stream, is replaced in the line, and dropped from it.
#[test]
fn a_waker_that_acts_when_it_is_dropped() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        for cancelled in [false, true] {
            let mut request = chan.reserve_async();
            assert!(poll_future(&mut request, &Bell::at_last(panics)).is_pending());
            if cancelled {
                assert!(caught(|| drop(request)).is_some());
            } else {
                assert!(caught(|| poll_future(&mut request, Waker::noop()).is_ready()).is_some());
                assert!(poll_future(&mut request, Waker::noop()).is_pending(), "it is still in the line");
            }
        }
        let also = Mutex::new(chan.clone());
        let waker = Bell::at_last(move || {
            assert!(also.lock().expect("no thread panics").try_send(2).is_err(), "there is no room");
        });
        let mut request = chan.reserve_async();
        assert!(poll_future(&mut request, &waker).is_pending());
        drop((waker, request));
        assert_eq!(port.recv(), Ok(1));
        assert_free(&chan, 1);
    });
}

/// A waker that sends, receives room and gives it back while it is called.
#[test]
fn a_waker_that_sends() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        let (also, sent) = (Mutex::new(chan.clone()), Arc::new(Mutex::new(None)));
        let result = sent.clone();
        let (_bell, waker) = Bell::that(move || {
            let sending = also.lock().expect("no thread panics").try_send(7);
            *result.lock().expect("no thread panics") = Some(sending);
        });
        let mut request = chan.send_async(2);
        assert!(poll_future(&mut request, &waker).is_pending());
        assert_eq!(port.try_recv(), Ok(1));
        assert_eq!(
            *sent.lock().expect("no thread panics"),
            Some(Err(TrySendError::Full(7))),
            "it was granted"
        );
        assert_eq!(poll_future(&mut request, &waker), Poll::Ready(Ok(())));
        assert_eq!(port.try_recv(), Ok(2));
    });
}

/// Futures in all places of the line, granted or not, are dropped, and the order of the others is kept.
#[test]
fn granted_and_dropped() {
    watched(|| {
        for dropped in 0..4 {
            let (chan, mut port) = shared_sync_stream(1);
            chan.send(0).expect("the port is here");
            let mut line: Vec<_> = (1..5).map(|number| chan.send_async(number)).collect();
            for sending in &mut line {
                assert!(poll_future(sending, Waker::noop()).is_pending());
            }
            assert_eq!(port.recv(), Ok(0), "which grants the first");
            drop(line.remove(dropped));
            for sending in &mut line {
                assert_eq!(chan.try_send(9), Err(TrySendError::Full(9)), "others wait");
                assert_eq!(poll_future(sending, Waker::noop()), Poll::Ready(Ok(())));
                let next = port.recv().expect("it was sent");
                assert!((1..5).contains(&next) && next != dropped as u64 + 1);
            }
            drop(line);
            assert_free(&chan, 1);
        }
    });
}

/// A future that was granted room and is forgotten keeps it; the port that is dropped ends all waits.
#[test]
fn granted_and_forgotten() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(1);
        chan.send(1).expect("the port is here");
        let mut request = chan.reserve_async();
        assert!(poll_future(&mut request, Waker::noop()).is_pending());
        std::mem::forget(request);
        assert_eq!(port.recv(), Ok(1));
        assert!(chan.send_timeout(2, Duration::from_micros(50)).is_err(), "the room is not given back");
        let mut sending = chan.send_async(3);
        assert!(poll_future(&mut sending, Waker::noop()).is_pending());
        drop(port);
        assert!(matches!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Err(_))));
    });
}

/// A permit outlives the port: its send is refused with the value, and dropping it does no harm.
#[test]
fn a_permit_that_outlives_the_port() {
    let tally = Tally::new();
    let (chan, port) = shared_sync_stream(2);
    let (first, second) = (chan.reserve().expect("there is room"), chan.reserve().expect("there is room"));
    let mut request = chan.reserve_async();
    assert!(poll_future(&mut request, Waker::noop()).is_pending());
    drop(port);
    drop(first);
    assert_eq!(second.send(tally.make(5)).map_err(|error| error.into_payload().number), Err(5));
    assert!(matches!(poll_future(&mut request, Waker::noop()), Poll::Ready(Err(_))));
    for _ in 0..3 {
        assert!(chan.reserve().is_err() && chan.try_reserve().is_err());
        assert!(chan.send(tally.make(6)).is_err() && chan.try_send(tally.make(7)).is_err());
    }
    tally.assert_all_gone();
}

/// The largest capacity: the counts do not overflow.
#[test]
fn as_much_room_as_can_be() {
    let (chan, mut port) = shared_sync_stream(usize::MAX);
    for number in 0..100 {
        chan.reserve().expect("there is room").send(number).expect("the port is here");
        drop(chan.reserve());
    }
    assert!(port.try_iter().eq(0..100));
    assert!(chan.try_send(7).is_ok());
}

/// A value whose destructor sends another one.
struct Echo(Option<(SharedChan<Echo>, Verb)>);
type Verb = fn(&SharedChan<Echo>) -> bool;

static REFUSED: AtomicUsize = AtomicUsize::new(0);

impl Drop for Echo {
    fn drop(&mut self) {
        if let Some((chan, verb)) = self.0.take() {
            REFUSED.fetch_add(usize::from(verb(&chan)), Ordering::SeqCst);
        }
    }
}

/// The port leaves a full stream behind, and the destructors of its values send: all are refused.
#[test]
fn what_a_port_leaves_behind_sends() {
    let verbs: [Verb; 6] = [
        |chan| matches!(chan.try_send(Echo(None)), Err(TrySendError::Closed(_))),
        |chan| chan.try_reserve().is_err_and(|error| error == TrySendError::Closed(())),
        |chan| matches!(chan.send_timeout(Echo(None), Duration::ZERO), Err(SendTimeoutError::Closed(_))),
        |chan| poll_future(&mut chan.send_async(Echo(None)), Waker::noop()).is_ready(),
        |chan| chan.send(Echo(None)).is_err(),
        |chan| chan.reserve().is_err(),
    ];
    for (number, verb) in verbs.into_iter().enumerate() {
        watched(move || {
            let (chan, port) = shared_sync_stream(2);
            for _ in 0..2 {
                assert!(chan.try_send(Echo(Some((chan.clone(), verb)))).is_ok());
            }
            drop(port);
            assert_eq!(REFUSED.swap(0, Ordering::SeqCst), 2, "verb {number}");
        });
    }
}
