//! Streams with many senders.

use super::port::Port;
use crate::endpoint::{Closing, SendError, TrySendError, WakerList, wake_all};
use crate::slot::{SharedReceiver, SharedSender, shared};
use crate::sync::{Arc, Lock, wait_until};
use std::fmt;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// Creates an unbounded stream with any number of senders: clone the [`SharedChan`] for each.
///
/// There is one order of all messages, in which the [`Port`] receives them. The messages of one sender come
/// in order, and if a send happens before a send by another sender, its message comes first. Sending never
/// blocks and takes no lock. A sender that is suspended in the middle of a send does not hold up the other
/// senders; the receiver sleeps until that message is there. The stream closes when the last sender is
/// dropped; a sender that panics only closes its own end.
///
/// ```
/// let (chan, port) = pipes::shared_stream();
/// for number in 1..=3 {
///     let chan = chan.clone();
///     std::thread::spawn(move || chan.send(number));
/// }
/// drop(chan);
/// assert_eq!(port.into_iter().sum::<i32>(), 6);
/// ```
#[doc(alias = "mpsc")]
#[doc(alias = "channel")]
pub fn shared_stream<T>() -> (SharedChan<T>, Port<T>) {
    let (sender, receiver) = shared();
    let watchers = Arc::new(Watchers(Lock::new(Watching { wakers: WakerList::new(), gone: false })));
    let source = SharedSource { receiver, leaving: Leaving(watchers.clone()) };
    (SharedChan { sender, watchers, ticket: None }, Port::shared(source))
}

/// One of the sending ends of a [`shared_stream()`]. Dropping the last one closes the stream; what was sent
/// can still be received.
#[doc(alias = "Sender")]
#[must_use = "dropping the last SharedChan closes it"]
pub struct SharedChan<T> {
    pub(super) sender: SharedSender<T>,
    watchers: Arc<Watchers>,
    /// The ticket of this sender's entry among the watchers, if it has one.
    ticket: Option<u64>,
}

impl<T> SharedChan<T> {
    /// Sends a value. Never blocks.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream();
    /// let other = chan.clone();
    /// std::thread::spawn(move || other.send(1));
    /// std::thread::spawn(move || chan.send(2));
    /// assert_eq!(port.into_iter().sum::<i32>(), 3);
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the value. Every later send returns this error again.
    #[inline]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.sender.send(value).map_err(SendError::new)
    }

    /// The same as [`send`](SharedChan::send), but with the error type of the other `try_send` methods.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, port) = pipes::shared_stream();
    /// assert_eq!(chan.try_send(1), Ok(()));
    /// drop(port);
    /// assert_eq!(chan.try_send(2), Err(TrySendError::Closed(2)));
    /// ```
    ///
    /// # Errors
    ///
    /// `Closed` if the port was dropped; the error contains the value.
    #[inline]
    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        self.sender.send(value).map_err(TrySendError::Closed)
    }

    /// Returns true if the port was dropped. `true` stays true; `false` may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream::<u32>();
    /// assert!(!chan.is_closed());
    /// drop(port);
    /// assert!(chan.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        self.sender.receiver_has_left()
    }

    /// Watches for the receiver to leave, with this waker. True: it has left.
    fn watch_for_close(&mut self, waker: &Waker) -> bool {
        // A waker is its executor's code: it is cloned before the lock is taken, and dropped after.
        let waker = waker.clone();
        let (_old, gone) = self.watchers.enter(&mut self.ticket, waker);
        gone
    }
}

impl<T> Closing for SharedChan<T> {
    #[inline]
    fn is_closed(&self) -> bool {
        SharedChan::is_closed(self)
    }

    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.watch_for_close(cx.waker()) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        if deadline.is_none_or(|deadline| deadline > Instant::now()) {
            wait_until(|| deadline, |cx| Closing::poll_closed(self, cx));
        }
        self.watchers.0.lock().gone
    }
}

crate::__closing! { impl [T] for SharedChan<T> }

impl<T> Clone for SharedChan<T> {
    fn clone(&self) -> Self {
        SharedChan { sender: self.sender.clone(), watchers: self.watchers.clone(), ticket: None }
    }
}

impl<T> Drop for SharedChan<T> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            drop(self.watchers.leave(ticket));
        }
    }
}

impl<T> fmt::Debug for SharedChan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedChan").field("closed", &self.is_closed()).finish()
    }
}

/// The senders that wait until the port is dropped.
struct Watchers(Lock<Watching>);

struct Watching {
    wakers: WakerList,
    /// The port was dropped, with all unread values.
    gone: bool,
}

impl Watchers {
    /// Enters a waker, in the entry of the ticket if there is one. Returns the waker that is no longer
    /// needed, and whether the port was dropped.
    fn enter(&self, ticket: &mut Option<u64>, waker: Waker) -> (Option<Waker>, bool) {
        let mut watching = self.0.lock();
        if watching.gone { (Some(waker), true) } else { (watching.wakers.enter(ticket, waker, ()), false) }
    }

    /// Takes a waker out, unless it was woken.
    fn leave(&self, ticket: u64) -> Option<Waker> {
        self.0.lock().wakers.remove(ticket)
    }
}

/// The receiving half, which wakes the watching senders when it has left.
pub(super) struct SharedSource<T> {
    pub(super) receiver: SharedReceiver<T>,
    /// This is declared behind the receiver, so that it is dropped after it.
    #[expect(dead_code, reason = "it is there to be dropped")]
    leaving: Leaving,
}

struct Leaving(Arc<Watchers>);

impl Drop for Leaving {
    fn drop(&mut self) {
        let wakers = {
            let mut watching = self.0.0.lock();
            watching.gone = true;
            watching.wakers.take()
        };
        wake_all(wakers.rev());
    }
}
