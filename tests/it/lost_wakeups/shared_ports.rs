//! Several receivers of one stream that wait in a line.

use pipes::stream;
use pipes_tests::table::flavors::shared;
use pipes_tests::{WakeCounter, begun, caught, panics, poll_future, spawn, test_in, watched};
use std::sync::mpsc::channel;
use std::task::{Poll, Waker};

/// A receiver takes a message, sees that there is one more, and drops its old waker, whose destructor waits
/// until the next receiver has got that other message. The next receiver is woken first.
#[test_in(watched)]
fn the_next_receiver_is_woken_before_an_old_waker_is_dropped() {
    let (mut chan, first) = shared(stream());
    let (second, third) = (first.clone(), first.clone());
    // The first receiver is woken by the first message, and does not poll.
    let _slow = begun(first.recv_async(), Waker::noop());
    let (got, is_got) = channel();
    let old = WakeCounter::on_drop(move || is_got.recv().expect("the third gets the second message"));
    let mut waiting = begun(second.recv_async(), &old);
    drop(old);
    // Another thread polls the third receiver when that is woken.
    let (woken, is_woken) = channel();
    let (_wakes, waker) = WakeCounter::on_wake(move || woken.send(()).expect("it is waited for"));
    let mut receiving = begun(Box::pin(async move { third.recv_async().await }), &waker);
    let running = spawn(move || {
        is_woken.recv().expect("it is woken");
        let received = poll_future(&mut receiving, Waker::noop());
        got.send(()).expect("it is waited for");
        received
    });
    chan.send(1).expect("three are here");
    chan.send(2).expect("three are here");
    assert_eq!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(Ok(1)));
    assert_eq!(running.join().expect("it does not panic"), Poll::Ready(Ok(2)));
}

/// A receive ends by the panic of a destructor: that of the waker that it replaces. It does not wait any
/// more, so the next message wakes another one.
#[test]
fn a_receive_that_ends_by_a_panic_leaves_the_line() {
    let (mut chan, port) = shared(stream());
    let old = WakeCounter::on_drop(panics);
    let mut receive = begun(port.recv_async(), &old);
    drop(old);
    assert!(caught(|| poll_future(&mut receive, Waker::noop())).is_some(), "it replaces the waker");
    let (wakes, waker) = WakeCounter::new();
    let _waiting = begun(port.recv_async(), &waker);
    drop(receive);
    chan.send(1).expect("one receives");
    assert_eq!(wakes.count(), 1);
}
