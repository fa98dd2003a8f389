//! The destructor of an old waker waits for another receiver that is about to be woken. That receiver must be
//! woken first.

use pipes::stream;
use pipes_tests::{Bell, poll_future, watched};
use std::future::Future;
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::thread;

/// A receiver takes a message, sees that there is one more, and drops its old waker. The waker's destructor
/// waits until the next receiver has got that other message.
#[test]
fn the_next_receiver_is_woken_before_an_old_waker_is_dropped() {
    watched(|| {
        let (mut chan, port) = stream();
        let mut called = port.into_shared();
        let (mut taking, mut next) = (called.clone(), called.clone());
        // The first receiver in the line is woken by the first message, and does not poll yet.
        let mut slow = called.recv_async();
        assert!(poll_future(&mut slow, Waker::noop()).is_pending());
        // The second receiver is polled by a task whose waker, when its last clone is dropped, waits for the
        // third receiver.
        let (got, is_got) = channel();
        let old = Bell::at_last(move || is_got.recv().expect("the third gets the second message"));
        let mut waiting = taking.recv_async();
        assert!(poll_future(&mut waiting, &old).is_pending());
        drop(old);
        // The third receiver is a task that another thread polls when it is woken.
        let (woken, is_woken) = channel();
        let (_bell, waker) = Bell::that(move || woken.send(()).expect("it is waited for"));
        let mut third = Box::pin(async move { next.recv_async().await });
        assert!(third.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let running = thread::spawn(move || {
            is_woken.recv().expect("it is woken");
            let received = third.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            got.send(()).expect("it is waited for");
            received
        });
        chan.send(1).expect("three are here");
        chan.send(2).expect("three are here");
        assert_eq!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(Ok(1)));
        assert_eq!(running.join().expect("it does not panic"), Poll::Ready(Ok(2)));
    });
}
