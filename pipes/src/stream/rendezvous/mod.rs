//! Capacity 0: each send waits for its receive.
//!
//! A stream of capacity 0 has no buffer. It has a lock around two things: the queue of the values that
//! senders offer, each with the waker of its sender and the longest wait first; and the receiver, if it
//! waits. The side that comes second finds the other one there and wakes it.
//!
//! | the receiver | `send` | `try_send` |
//! |---|---|---|
//! | does not wait | offers its value and waits until it is taken | fails |
//! | waits as a task or as a member of a set, which may not come back | wakes it, and offers its value | hands its value over |
//! | is a thread that sleeps in a receive | hands its value over | hands its value over |
//!
//! A value that was handed over is sent. It belongs to the receiver, and is the only one in the queue until
//! the receiver comes.
//!
//! A sender whose time is up, or whose future is dropped, withdraws its offer. A receiver may look first and
//! receive later (`is_ready`, `poll_ready`, `select!`). For this, a receiver that sees an offer *promises* to
//! take it. The sender goes on waiting, and gets its value back if the receiver leaves; but if it stops
//! waiting, the value counts as sent and stays for the receiver.
//!
//! While the receiver waits, there are no values, because each value takes the receiver out of its place and
//! wakes it.
//!
//! # Access
//!
//! Only the thread that holds the lock has access. No user's code runs under it: wakers are cloned before it
//! is taken, and are woken and dropped after it is released. Values are dropped after it is released as well.

mod receiver;
mod sender;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

pub(super) use self::receiver::RendezvousReceiver;
pub(super) use self::sender::{Offer, RendezvousSender};

use crate::sync::{Arc, Lock};
use crate::wait::{Waiter, WakerList};

/// What the ends of a stream of capacity 0 share.
pub(super) struct Rendezvous<T>(Lock<State<T>>);

struct State<T> {
    /// The values. When the receiver leaves, those on offer stay for their senders to take back.
    values: WakerList<Offered<T>>,
    /// What was agreed about the first of these values.
    first: First,
    receiver: Option<Waiting>,
    senders: usize,
    receiver_has_left: bool,
}

/// A value in the queue.
struct Offered<T> {
    /// The value, boxed so that a large one is not copied along the queue.
    value: Box<T>,
    /// `true` if its sender has left, and will not take it back.
    is_abandoned: bool,
}

impl<T> Offered<T> {
    fn new(value: Box<T>) -> Self {
        Offered { value, is_abandoned: false }
    }
}

/// What was agreed about the first value, if there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// It is on offer, like those behind it.
    Offered,
    /// It is on offer, and the receiver has promised to take it.
    Promised,
    /// It is sent, and no sender waits for it.
    Sent,
}

/// A receiver that waits.
struct Waiting {
    waiter: Waiter,
    /// `true` if it is a thread, which receives when it is woken. A task, or a set, may do something else
    /// instead.
    is_thread: bool,
}

/// Wakes the receiver, if it waits. The caller does not hold the lock.
fn wake(receiver: Option<Waiting>) {
    if let Some(receiver) = receiver {
        receiver.waiter.wake();
    }
}

impl<T> State<T> {
    /// Returns `true` if there is a value to receive, which then stays until it is received.
    fn promise(&mut self) -> bool {
        if self.values.is_empty() {
            return false;
        }
        if self.first == First::Offered {
            self.first = First::Promised;
        }
        true
    }

    /// Returns `true` if a receive would not wait, now and until it is called.
    fn is_settled(&mut self) -> bool {
        self.promise() || self.senders == 0
    }
}

/// Creates a stream of capacity 0, with one sender, which can be cloned.
pub(super) fn rendezvous<T>() -> (RendezvousSender<T>, RendezvousReceiver<T>) {
    let shared = Arc::new(Rendezvous(Lock::new(State {
        values: WakerList::new(),
        first: First::Offered,
        receiver: None,
        senders: 1,
        receiver_has_left: false,
    })));
    (RendezvousSender { shared: shared.clone(), ticket: None }, RendezvousReceiver { shared, is_over: false })
}
