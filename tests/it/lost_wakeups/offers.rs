//! Streams without room: a receiver that is said to be ready has promised to take an offer.

use pipes::{Port, PortSet, sync_stream};
use pipes_tests::{WakeCounter, begun, panics, poll, poll_future, spawn, test_in, watched};
use std::task::{Poll, Waker};

/// Each way in which a port may leave after its promise.
const LEAVES: [fn(Port<u32>); 4] = [
    drop,
    |port| drop(port.into_shared()),
    |port| drop(PortSet::from_iter([port])),
    |port| {
        let panicking = spawn(move || {
            let _port = port;
            panics();
        });
        assert!(panicking.join().is_err());
    },
];

/// A sender that waits is woken when the receiver leaves without its promise, and gets its message back.
#[test_in(watched)]
fn a_promise_that_is_broken() {
    for leave in LEAVES {
        let (mut chan, mut port) = sync_stream(0);
        let (wakes, waker) = WakeCounter::new();
        let mut sending = begun(chan.send_async(7), &waker);
        assert!(poll(&mut port, Waker::noop()).is_ready(), "that is the promise");
        leave(port);
        assert_eq!(wakes.count(), 1);
        let Poll::Ready(Err(error)) = poll_future(&mut sending, &waker) else { panic!("it has left") };
        assert_eq!(error.into_payload(), 7);
    }
}
