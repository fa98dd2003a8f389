//! Streams of capacity 0 with many senders: a send that does not wait needs a receiver that does.

use pipes::shared_sync_stream;
use pipes_tests::{WakeCounter, poll, poll_future};
use std::task::{Poll, Waker};

/// A receiver that waits is there all the time, also while its waker is replaced. (A send in the destructor
/// of the old waker once found no receiver.)
#[test]
fn a_send_while_the_waker_is_replaced() {
    let (chan, mut port) = shared_sync_stream(0);
    let waker = WakeCounter::on_drop(move || chan.try_send(7).expect("the receiver waits"));
    assert!(poll(&mut port, &waker).is_pending());
    drop(waker);
    assert!(poll(&mut port, Waker::noop()).is_pending(), "its own look was before the send");
    assert_eq!(port.try_recv(), Ok(7));
}

/// A port that has said that it is ready receives the offer that it saw, though its send was cancelled. The
/// first offer is received first.
#[test]
fn a_cancelled_offer_that_the_port_has_seen() {
    let (chan, mut port) = shared_sync_stream(0);
    let mut offers = [chan.send_async(1), chan.send_async(2)];
    assert!(offers.iter_mut().all(|offer| poll_future(offer, Waker::noop()).is_pending()));
    assert!(port.is_ready());
    assert_eq!(port.try_recv(), Ok(1));
    assert_eq!(poll_future(&mut offers[0], Waker::noop()), Poll::Ready(Ok(())));
    assert!(port.is_ready());
    drop(offers);
    assert_eq!(port.try_recv(), Ok(2));
    assert!(!port.is_ready() && port.try_recv().is_err());
}
