//! What the models share: counted payloads, a waker that counts its wakes, and two protocols.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A payload. The model reports a leak, and the reference count shows how many copies exist.
pub type Payload = Arc<()>;

/// Creates two references to one payload: one to send, and one with which to check the count.
pub fn payload() -> (Payload, Payload) {
    let payload = Arc::new(());
    (payload.clone(), payload)
}

/// Asserts that all references that were sent are dropped.
pub fn assert_only(payload: &Payload) {
    assert_eq!(Arc::strong_count(payload), 1, "a payload was dropped twice or not at all");
}

/// A waker that counts how often it is called.
pub struct WakeCounter(AtomicUsize);

impl WakeCounter {
    /// Creates a counter, and its waker.
    pub fn new() -> (std::sync::Arc<WakeCounter>, Waker) {
        let wakes = std::sync::Arc::new(WakeCounter(AtomicUsize::new(0)));
        (wakes.clone(), wakes.into())
    }

    /// Returns how often the waker was called.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

impl Wake for WakeCounter {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Polls a receiver's readiness once.
pub fn poll(receiver: &mut impl pipes::Readiness, waker: &Waker) -> Poll<()> {
    receiver.poll_ready(&mut Context::from_waker(waker))
}

pipes::proto! {
    /// A ping and its answer, in a ring of two slots.
    pub pingpong {
        /// The client's turn.
        ping: send {
            /// A ping, and the endpoint for the answer.
            ping(Payload) -> pong,
        }
        /// The server's turn.
        pong: recv {
            /// A pong, and the endpoint for the next ping.
            pong(Payload) -> ping,
            /// The last answer, which ends the session.
            bye(Payload) -> !,
        }
    }

    /// An account with an unbounded number of deposits, in blocks of two slots.
    pub bank {
        /// The customer's turn.
        account: send {
            /// A deposit.
            deposit(Payload) -> account,
            /// A request for money.
            withdraw -> answer,
            /// The last deposit, which ends the session.
            leave(Payload) -> !,
        }
        /// The bank's turn.
        answer: recv {
            /// The money asked for.
            money(Payload) -> account,
        }
    }
}
