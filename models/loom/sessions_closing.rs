//! A service asks its sessions to end while they begin to wait for that request, and waits until they have
//! ended.

use crate::support::WakeCounter;
use loom::future::block_on;
use loom::thread;
use pipes::remote::{Link, accepting};
use std::future::Future;
use std::task::{Context, Waker};

pipes::proto! {
    /// A greeting.
    pub greeting {
        /// The client's turn.
        hello: send {
            /// The only message.
            hello -> !,
        }
    }
}

/// A link that is never asked anything.
#[derive(Debug)]
struct Unknown;

impl pipes::remote::Linked for Unknown {
    fn cause(&self) -> pipes::remote::Cause {
        pipes::remote::Cause::Open
    }

    fn peer(&self) -> &pipes::remote::Peer {
        unreachable!("no one asks")
    }

    fn ask_delivered(&self) -> u64 {
        0
    }

    fn poll_delivered(
        &self,
        _: u64,
        _: &mut Context<'_>,
    ) -> std::task::Poll<Result<(), pipes::remote::NotDelivered>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn forget(&self, _: u64) {}
}

/// Creates a service with a session under way, which was accepted and no longer needs a server.
fn service() -> (pipes::Listener<greeting::Protocol, ()>, pipes::remote::Session) {
    let (accepting, listener) = accepting::<greeting::Protocol, ()>(1, |_, _| ());
    let room = accepting.try_room().expect("there is room");
    let (_, session) = room.deliver(Link::new(Unknown), None).expect("there is a listener");
    (listener, session)
}

/// The session registers while it is asked to end. It sees the request, or is woken.
#[test]
fn asked_while_it_registers() {
    loom::model(|| {
        let (listener, mut session) = service();
        let closing = thread::spawn(move || {
            let mut shutdown = std::pin::pin!(listener.shutdown_async());
            // The future is dropped after its first poll, so that it closes what is left.
            let _ = shutdown.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        });
        let (wakes, waker) = WakeCounter::new();
        if session.poll_closing(&mut Context::from_waker(&waker)).is_pending() {
            while wakes.count() == 0 {
                thread::yield_now();
            }
        }
        assert!(session.is_closing());
        drop(session);
        closing.join().unwrap();
    });
}

/// The last session ends while the service begins to wait for its end.
#[test]
fn the_last_one_ends() {
    loom::model(|| {
        let (listener, session) = service();
        let pump = thread::spawn(move || drop(session));
        block_on(listener.shutdown_async());
        pump.join().unwrap();
    });
}
