//! One step wakes several tasks, two of which have wakers that panic. The step must panic, once, and the
//! process must go on. Each test runs in its own process.
#![cfg(not(miri))]

use futures::Stream;
use pipes::{Closing, shared_stream};
use pipes_tests::{Bell, apart, caught, watched};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};

struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        std::panic::resume_unwind(Box::new("on purpose"));
    }
}

/// The close of a port wakes all senders that wait for it.
#[test]
fn of_a_close() {
    apart(|| {
        watched(|| {
            let (chan, port) = shared_stream::<u32>();
            let mut chans = [chan.clone(), chan.clone(), chan];
            let (bell, good) = Bell::new();
            for (chan, waker) in
                chans.iter_mut().zip([Arc::new(Panics).into(), good, Waker::from(Arc::new(Panics))])
            {
                assert!(Closing::poll_closed(chan, &mut Context::from_waker(&waker)).is_pending());
            }
            assert!(caught(|| drop(port)).is_some());
            assert_eq!(bell.rings(), 1);
        })
    });
}

/// A message wakes all receivers of a group that wait as streams, and one of the others.
#[test]
fn of_a_message() {
    apart(|| {
        watched(|| {
            let (chan, port) = shared_stream::<u32>();
            let port = port.into_shared();
            let mut ports = [port.clone(), port.clone(), port];
            let (bell, good) = Bell::new();
            for (port, waker) in
                ports.iter_mut().zip([Arc::new(Panics).into(), good, Waker::from(Arc::new(Panics))])
            {
                assert!(Pin::new(port).poll_next(&mut Context::from_waker(&waker)).is_pending());
            }
            assert!(caught(|| chan.send(1)).is_some());
            assert_eq!(bell.rings(), 1);
        })
    });
}
