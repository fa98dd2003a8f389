//! Wakers that call into a shared port, or panic there: no waker is called or dropped while its lock is held.

use pipes::{Port, RecvShared, SharedPort, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Tally, caught, poll, poll_future, watched};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Where a waker finds the port that it calls.
type Place = Arc<Mutex<Option<SharedPort<u64>>>>;

fn look_into(place: &Place) -> Option<u64> {
    place.lock().expect("nobody panics").as_mut()?.try_recv().ok()
}

/// A receive makes room and wakes the sender.
#[test]
fn a_senders_waker_receives() {
    watched(|| {
        for capacity in [0, 1, 2] {
            let (mut chan, port) = sync_stream(capacity);
            let mut port = port.into_shared();
            let (seen, inside) = (Arc::new(Mutex::new(None)), Mutex::new(port.clone()));
            let also = seen.clone();
            (0..capacity as u64).for_each(|number| chan.send(number).expect("the port is here"));
            let (bell, waker) = Bell::that(move || {
                *also.lock().expect("nobody panics") = inside.lock().expect("nobody panics").try_recv().ok();
            });
            let mut sending = chan.send_async(9);
            assert!(poll_future(&mut sending, &waker).is_pending());
            let first = if capacity == 0 { 9 } else { 0 };
            assert_eq!(port.recv(), Ok(first));
            assert_eq!(bell.rings(), 1);
            assert_eq!(*seen.lock().expect("nobody panics"), (capacity == 2).then_some(1));
            assert_eq!(poll_future(&mut sending, &waker), Poll::Ready(Ok(())));
        }
    });
}

/// The received payload is dropped by the panic, once; other receivers receive the messages after it.
#[test]
fn a_senders_waker_panics() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = sync_stream(1);
        let mut port = port.into_shared();
        let mut other = port.clone();
        chan.send(tally.make(1)).expect("the port is here");
        let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
        let mut sending = chan.send_async(tally.make(2));
        assert!(poll_future(&mut sending, &waker).is_pending());
        assert!(caught(|| port.try_recv()).is_some(), "the panic is not swallowed");
        assert_eq!(tally.gone(), 1);
        assert!(poll_future(&mut sending, &waker).is_ready(), "there is room");
        assert_eq!(other.recv().expect("it was sent").number, 2);
        drop(sending);
        chan.send(tally.make(3)).expect("the ports are here");
        assert_eq!(port.recv().expect("it was sent").number, 3);
        tally.assert_all_gone();
    });
}

/// A receive wakes the next receiver, whose waker panics: the received payload is dropped by the panic, once,
/// and the others are received.
#[test]
fn the_next_receivers_waker_panics() {
    let tally = Tally::new();
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let (mut first, mut second) = (port.clone(), port.clone());
    let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
    let (mut called, mut next) = (first.recv_async(), second.recv_async());
    assert!(poll_future(&mut called, Waker::noop()).is_pending());
    assert!(poll_future(&mut next, &waker).is_pending());
    (0..40).for_each(|number| chan.send(tally.make(number)).expect("the ports are here"));
    assert!(caught(|| port.try_recv()).is_some(), "the panic is not swallowed");
    assert_eq!(tally.gone(), 1, "it was lost with the panic");
    drop((called, next));
    for number in 1..40 {
        assert_eq!(port.try_recv().expect("it was sent").number, number);
    }
    tally.assert_all_gone();
}

/// A receiver that was woken leaves, and wakes the next one, whose waker panics: no message is lost.
#[test]
fn a_receiver_that_leaves_wakes_a_waker_that_panics() {
    let leaves: [fn(RecvShared<'_, u64>); 2] = [
        |receive| drop(receive),
        |mut receive| {
            assert!(poll_future(&mut receive, Waker::noop()).is_ready());
        },
    ];
    for (leave, left) in leaves.into_iter().zip([1, 2]) {
        let (mut chan, port) = stream();
        let mut port = port.into_shared();
        let (mut first, mut second) = (port.clone(), port.clone());
        let (mut woken, mut next) = (first.recv_async(), second.recv_async());
        assert!(poll_future(&mut woken, Waker::noop()).is_pending());
        let (bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(poll_future(&mut next, &waker).is_pending());
        (1..=3).for_each(|number| chan.send(number).expect("the ports are here"));
        assert!(caught(|| leave(woken)).is_some(), "the panic is not swallowed");
        assert_eq!((bell.rings(), port.try_recv()), (1, Ok(left)));
    }
}

/// A waker from before the port was shared is dropped when the port is shared, not in a receive.
#[test]
fn a_waker_from_before_receives_when_it_is_dropped() {
    type Ends = (Box<dyn FnMut(u64)>, Port<u64>);
    let kinds: [fn() -> Ends; 3] = [
        || {
            let (mut chan, port) = stream();
            (Box::new(move |number| chan.send(number).expect("the port is here")), port)
        },
        || {
            let (mut chan, port) = sync_stream(1);
            (Box::new(move |number| chan.send(number).expect("the port is here")), port)
        },
        || {
            let (chan, port) = shared_stream();
            (Box::new(move |number| chan.send(number).expect("the port is here")), port)
        },
    ];
    watched(move || {
        for kind in kinds {
            let (mut send, mut port) = kind();
            let place = Place::default();
            let inside = place.clone();
            let waker = Bell::at_last(move || {
                look_into(&inside);
            });
            assert!(poll(&mut port, &waker).is_pending());
            drop(waker);
            let mut port = port.into_shared();
            *place.lock().expect("nobody panics") = Some(port.clone());
            assert!(poll_future(&mut port.recv_async(), Waker::noop()).is_pending());
            send(1);
            assert_eq!(port.recv(), Ok(1));
            place.lock().expect("nobody panics").take();
        }
    });
}

/// The waker from before has a destructor that panics.
#[test]
fn a_waker_from_before_is_dropped_with_care() {
    let (chan, mut port) = shared_stream::<u64>();
    let waker = Bell::at_last(|| std::panic::resume_unwind(Box::new("on purpose")));
    assert!(poll(&mut port, &waker).is_pending());
    drop(waker);
    assert!(caught(|| port.into_shared()).is_some());
    assert!(chan.is_closed(), "the port went with the panic");
    assert_eq!(chan.send(1).map_err(|error| error.into_payload()), Err(1));
}
