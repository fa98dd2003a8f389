//! Wakers and destructors that panic, or that call into the library, in calls that not every kind of channel
//! has.

use futures::executor::block_on;
use pipes::{Port, oneshot, stream, sync_stream};
use pipes_tests::bank;
use pipes_tests::{Counted, DropCounter, WakeCounter, begun, caught, panics, poll_closed, poll_future};
use std::sync::{Arc, Mutex};
use std::task::Poll;

/// A receive makes room, and the waker of the waiting sender panics. The received payload is dropped by the
/// panic, once; its slot is free, and later messages still come.
#[test]
fn a_waker_that_panics_when_there_is_room() {
    type Receive = fn(&mut Port<Counted>) -> Option<u64>;
    let receives: [Receive; 4] = [
        |port| Some(port.recv().ok()?.number),
        |port| Some(port.try_recv().ok()?.number),
        |port| Some(block_on(port.recv_async()).ok()?.number),
        |port| Some(port.iter().next()?.number),
    ];
    for capacity in [0, 1, 3] {
        for receive in receives {
            let drops = DropCounter::new();
            let (mut chan, mut port) = sync_stream(capacity);
            (0..capacity as u64).for_each(|number| chan.send(drops.make(number)).expect("there is room"));
            let (wakes, waker) = WakeCounter::on_wake(panics);
            let mut sending = begun(chan.send_async(drops.make(7)), &waker);
            assert!(caught(|| receive(&mut port)).is_some(), "the panic is not swallowed");
            assert_eq!((drops.dropped(), wakes.count()), (1, 1));
            assert!(matches!(poll_future(&mut sending, &waker), Poll::Ready(Ok(()))), "there is room now");
            drop(sending);
            drop(chan);
            let expected = (1..capacity as u64).chain((capacity > 0).then_some(7));
            assert!(port.iter().map(|payload| payload.number).eq(expected));
            drops.assert_all_dropped();
        }
    }
}

/// The stream is drained while a destructor sends on it: the payload comes back, or is drained too.
#[test]
fn a_destructor_that_sends_on_its_own_stream() {
    fn again(drops: &DropCounter, place: &Arc<Mutex<Option<pipes::Chan<Counted>>>>, left: u64) -> Counted {
        let (counted, shared) = (drops.clone(), place.clone());
        drops.make_with(left, move || {
            let chan = shared.lock().unwrap().take();
            if let (Some(mut chan), 1..) = (chan, left) {
                let back = chan.send(again(&counted, &shared, left - 1));
                *shared.lock().unwrap() = Some(chan);
                drop(back);
            }
        })
    }
    let drops = DropCounter::new();
    let (mut chan, port) = stream();
    let place = Arc::new(Mutex::new(None));
    assert!(chan.send(again(&drops, &place, 500)).is_ok());
    *place.lock().unwrap() = Some(chan);
    drop(port);
    assert_eq!(Arc::strong_count(&place), 1, "every payload is gone");
    drops.assert_all_dropped();
}

/// A send drops the waker of the wait for the close, whose destructor panics: the end is used up by the send;
/// it closes, and the payload is dropped.
#[test]
fn a_close_waker_that_panics_in_a_send() {
    let drops = DropCounter::new();
    let (mut client, server) = bank::pipe();
    assert!(!poll_closed(&mut client, &WakeCounter::on_drop(panics)));
    assert!(caught(|| client.deposit(drops.make(7))).is_some());
    assert!(server.recv().is_err());

    let (mut chan, port) = oneshot();
    assert!(!poll_closed(&mut chan, &WakeCounter::on_drop(panics)));
    assert!(caught(|| chan.send(drops.make(8))).is_some());
    assert!(port.recv().is_err());

    for capacity in [0, 1] {
        let (mut chan, port) = sync_stream(capacity);
        assert!(!poll_closed(&mut chan, &WakeCounter::on_drop(panics)));
        // At capacity 0 nothing can be sent, so the waker stays registered until the chan leaves.
        let panic = caught(|| {
            drop(chan.try_send(drops.make(1)));
            drop(chan);
        });
        assert!(panic.is_some());
        drop(port);
    }
    drops.assert_all_dropped();
}

/// A send drops the waker of the wait for the close before it sends anything. That waker is the last owner of
/// the port, so the send finds the pipe closed.
#[test]
fn a_close_waker_that_drops_the_receiver_in_a_send() {
    let drops = DropCounter::new();
    let (mut chan, port) = oneshot();
    assert!(!poll_closed(&mut chan, &WakeCounter::on_drop(move || drop(port))));
    assert_eq!(chan.send(drops.make(1)).unwrap_err().into_payload().number, 1);

    let (mut client, server) = bank::pipe();
    assert!(!poll_closed(&mut client, &WakeCounter::on_drop(move || drop(server))));
    assert_eq!(client.deposit(drops.make(2)).unwrap_err().into_payload().number, 2);

    let (mut chan, port) = stream();
    assert!(!poll_closed(&mut chan, &WakeCounter::on_drop(move || drop(port))));
    assert_eq!(chan.send(drops.make(3)).unwrap_err().into_payload().number, 3);
    drops.assert_all_dropped();
}
