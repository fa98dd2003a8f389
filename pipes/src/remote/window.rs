//! Tickets: how a pump knows how many of its messages the user has not received.
//!
//! A pump puts a ticket beside each message of an unbounded protocol. The ticket is dropped where the message
//! is received, or with the message if it never is. So the pump can stop reading when *n* messages are
//! unread, and the other program's memory, not this one's, has the rest.

use crate::sync::{Arc, Lock};
use std::fmt;
use std::task::{Context, Poll, Waker};

/// Counts the tickets that have come back to a pump.
pub struct Window(Arc<Lock<Returned>>);

/// Comes back to its window when it is dropped.
pub struct Ticket(Option<Arc<Lock<Returned>>>);

/// # Access
///
/// The lock: the thread that drops a ticket, and the pump. The waker is woken after it is open.
struct Returned {
    /// The tickets that have come back and were not counted by the pump.
    count: usize,
    /// The pump, and the count that it waits for.
    waiting: Option<(usize, Waker)>,
}

impl Window {
    /// Makes a window without tickets.
    #[expect(clippy::new_without_default, reason = "a window belongs to a pump, and is made with it")]
    pub fn new() -> Self {
        Window(Arc::new(Lock::new(Returned { count: 0, waiting: None })))
    }

    /// Makes a ticket.
    pub fn ticket(&self) -> Ticket {
        Ticket(Some(self.0.clone()))
    }

    /// Ready with the number of tickets that have come back since the last time, if there are at least
    /// `least`. Otherwise the task is woken when there are; only the most recent poll's waker is kept.
    pub fn poll_returned(&self, least: usize, cx: &mut Context<'_>) -> Poll<usize> {
        // Cloned before, and the old one dropped after: both are an executor's code.
        let waker = cx.waker().clone();
        let mut returned = self.0.lock();
        if returned.count >= least {
            return Poll::Ready(std::mem::take(&mut returned.count));
        }
        let before = returned.waiting.replace((least, waker));
        drop(returned);
        drop(before);
        Poll::Pending
    }
}

impl Ticket {
    /// A ticket that belongs to no window.
    pub fn free() -> Self {
        Ticket(None)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let Some(window) = &self.0 else { return };
        let mut returned = window.lock();
        returned.count += 1;
        let count = returned.count;
        let waiting = returned.waiting.take_if(|(least, _)| *least <= count);
        drop(returned);
        if let Some((_, waker)) = waiting {
            waker.wake();
        }
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").field("returned", &self.0.lock().count).finish_non_exhaustive()
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").finish_non_exhaustive()
    }
}
