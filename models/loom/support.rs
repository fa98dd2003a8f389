//! What the models share: counted payloads, a waker that can be seen, two protocols.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A payload: the model reports it if it is leaked, and a count above one tells who still has a copy.
pub type Payload = Arc<()>;

/// Two references to one payload: one to send, one to count with.
pub fn payload() -> (Payload, Payload) {
    let payload = Arc::new(());
    (payload.clone(), payload)
}

/// Everything that was sent is gone.
pub fn assert_only(payload: &Payload) {
    assert_eq!(Arc::strong_count(payload), 1, "a payload was dropped twice or not at all");
}

/// A waker that counts.
pub struct Bell(AtomicUsize);

impl Bell {
    /// A bell that was not rung, and the waker that rings it.
    pub fn new() -> (std::sync::Arc<Bell>, Waker) {
        let bell = std::sync::Arc::new(Bell(AtomicUsize::new(0)));
        (bell.clone(), bell.into())
    }

    /// How often it was rung.
    pub fn rings(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

impl Wake for Bell {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Polls a receiver's readiness once.
pub fn poll(receiver: &mut impl pipes::Readiness, waker: &Waker) -> Poll<()> {
    receiver.poll_ready(&mut Context::from_waker(waker))
}

pipes::proto! {
    /// There and back, with two slots.
    pub pingpong {
        /// The client's turn.
        ping: send {
            /// A ping, to be answered with this endpoint.
            ping(Payload) -> pong,
        }
        /// The server's turn.
        pong: recv {
            /// A pong, and the endpoint for the next ping.
            pong(Payload) -> ping,
            /// No more.
            bye(Payload) -> !,
        }
    }

    /// An account into which one may pay without end, in blocks of two slots.
    pub bank {
        /// The customer's turn.
        account: send {
            /// Keep this.
            deposit(Payload) -> account,
            /// Give it back.
            withdraw -> answer,
            /// Keep this too; no more.
            leave(Payload) -> !,
        }
        /// The bank's turn.
        answer: recv {
            /// Here it is.
            money(Payload) -> account,
        }
    }
}
