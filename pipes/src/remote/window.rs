//! Flow control for unbounded protocols: a pump counts the messages that its user has not received.
//!
//! A pump puts a ticket beside each message. The ticket is dropped where the message is received, or with the
//! message if it is never received. Then it counts as returned, like a credit of other protocols. So the pump
//! can stop reading when the window is full, and further messages stay in the memory of the other program.

use crate::sync::{Arc, Lock};
use std::fmt;
use std::task::{Context, Poll, Waker};

/// Counts the tickets that have returned to a pump.
pub struct Window(Arc<Lock<Returned>>);

/// Goes with one message. Returns to its window when it is dropped.
pub struct Ticket(Option<Arc<Lock<Returned>>>);

/// # Access
///
/// Under the lock: the thread that drops a ticket, and the pump. The waker is woken after the lock is
/// released.
struct Returned {
    /// The tickets that have returned and were not counted by the pump yet.
    count: usize,
    /// The count that the pump waits for, and its waker.
    waiting: Option<(usize, Waker)>,
}

impl Window {
    /// Creates a window without tickets.
    #[expect(clippy::new_without_default, reason = "a window belongs to a pump, and is made with it")]
    pub fn new() -> Self {
        Window(Arc::new(Lock::new(Returned { count: 0, waiting: None })))
    }

    /// Creates a ticket of this window.
    pub fn ticket(&self) -> Ticket {
        Ticket(Some(self.0.clone()))
    }

    /// Polls until at least `least` tickets have returned since the last time. Ready with their number. Only
    /// the waker of the most recent poll is kept.
    pub fn poll_returned(&self, least: usize, cx: &mut Context<'_>) -> Poll<usize> {
        // Both the clone and the drop run code of an executor, so neither happens under the lock.
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
    /// Creates a ticket that belongs to no window.
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
