//! Wakers that panic while a sender waits for room: its value is neither lost nor kept for ever.

use pipes::{BroadcastChan, BroadcastPort, broadcast};
use pipes_tests::{
    Counted, DropCounter, WakeCounter, begun, caught, panics, poll, poll_future, test_in, watched,
};
use std::task::{Poll, Waker};
use std::time::Duration;

fn full(drops: &DropCounter) -> (BroadcastChan<Counted>, BroadcastPort<Counted>) {
    let (chan, port) = broadcast(1);
    chan.try_send(drops.make(0)).expect("there is room");
    (chan, port)
}

/// A sender that finds no receiver leaves the line, and the waker of the next one panics. The next poll
/// returns the value.
#[test]
fn the_next_waker_panics_without_a_receiver() {
    let drops = DropCounter::new();
    let (chan, port) = full(&drops);
    let mut sending = begun(chan.send_async(drops.make(1)), Waker::noop());
    let mut next = chan.request_room();
    drop(port);
    assert!(poll(&mut next, &WakeCounter::on_wake(panics).1).is_ready());
    assert!(caught(|| poll_future(&mut sending, Waker::noop())).is_some(), "the panic is not swallowed");
    let Poll::Ready(Err(error)) = poll_future(&mut sending, Waker::noop()) else { panic!("it was not sent") };
    assert_eq!(error.into_payload().number, 1);
    drop(sending);
    drops.assert_all_dropped();
}

/// A send is ended early, and the waker of the next one panics. The value is dropped.
#[test]
fn the_next_waker_panics_when_a_send_is_ended() {
    let drops = DropCounter::new();
    let (chan, mut port) = full(&drops);
    let sending = begun(chan.send_async(drops.make(1)), Waker::noop());
    let mut next = chan.request_room();
    assert!(poll(&mut next, &WakeCounter::on_wake(panics).1).is_pending());
    drop(port.recv());
    assert!(caught(|| drop(sending.into_inner())).is_some(), "the panic is not swallowed");
    drops.assert_all_dropped();
}

/// A send that waits behind another one times out, and the waker of that panics. The value is dropped.
#[test_in(watched)]
fn the_first_waker_panics_at_a_timeout() {
    let drops = DropCounter::new();
    let (chan, _port) = broadcast(1);
    let mut first = chan.request_room();
    assert!(poll(&mut first, &WakeCounter::on_wake(panics).1).is_ready());
    // One that finds that its time is over does not begin to wait.
    let late = || drop(chan.send_timeout(drops.make(1), Duration::from_millis(1)));
    while caught(late).is_none() {}
    drops.assert_all_dropped();
}
