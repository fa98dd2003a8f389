//! Shared ports: one port for several receivers.
//!
//! The port is behind a lock, which is held to look for messages and to take them, never to wait. A receiver
//! that gets one takes those behind it as well, into a buffer, from which any receiver claims the next one
//! without the lock (`slot/prefetch`).
//!
//! Waiting receivers are in a queue; only one waker is registered with the port itself, that of the queue. A
//! message wakes the first receiver in the queue. Each receiver that has looked at the port, for any reason,
//! passes this on: if there are more messages, there or in the buffer, it wakes the next receiver; if not, it
//! registers the queue's waker with the port again. A receiver that gets its message from the buffer does the
//! same if it was woken. So while receivers wait, either the queue's waker is registered, or one of them was
//! woken and has still to pass this on; even if that one no longer receives, it does.
//!
//! The destructor of a receive does that. A future that polls a receiver as a `Stream` is not one of this
//! crate's, and has no such destructor: it may be dropped while its receiver is kept. So a wake-up does not
//! rely on a receiver that waits as a stream: it wakes all of those at the front of the queue, and the first
//! receiver behind them that does not wait as a stream.
//!
//! # Closing
//!
//! A receiver that closes the stream puts another port in the place of the one behind the lock: that of an
//! unbounded stream, into which it sends the values that the old port has returned when it was closed. So
//! nothing else knows of a close.
//!
//! # Wakers
//!
//! A waker is its executor's code, which may receive from the same port. So no waker is called or dropped
//! under the lock: a receive returns the wakers to call, and a waker that was registered before the port was
//! shared is taken out first. The only waker in the port is that of the queue. The last receiver to be
//! dropped wakes senders under the lock, when no other thread can take it.
//!
//! # Layers
//!
//! Uses `sync`, `wait`, `slot`, `endpoint` and `stream`; used by nothing below the crate's surface.

mod iter;
mod look;
mod many;
mod recv;
mod shared;
mod wait_queue;

pub use self::iter::{SharedIntoIter, SharedIter, SharedTryIter};
pub use self::many::SharedRecvManyFuture;
pub use self::recv::SharedRecvFuture;

use self::shared::Shared;
use crate::endpoint::{Member, RecvError, RecvTimeoutError, TryRecvError};
use crate::stream::Port;
use crate::sync::Arc;
use crate::wait::{Caller, EndInfo, Party, uses};
use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

/// A port that several receivers share: each message goes to exactly one of them. Clone it for each, or let
/// several threads use one by reference.
///
/// Create it from a port of any kind with [`Port::into_shared`]: the stream may be bounded or unbounded, with
/// one sender or many. The stream closes when the last of the receivers is dropped, or when one of them
/// [closes](SharedPort::close) it.
///
/// The receiver that has waited longest is woken first. If a receiver that did not wait was faster, the
/// woken one waits again. For one receiver a [`Port`] is faster.
///
/// The receivers share a lock. A receive that takes it takes up to 32 further messages out of the stream as
/// well (fewer if they are large), and those that follow get them without the lock. Such a message still
/// counts as unread: in a bounded stream there is room for another one only when a receiver gets it. From a
/// [`sync_stream()`](crate::sync_stream()), and if they are larger than 4 KiB, messages are taken one by one,
/// each with the lock.
///
/// # Several receivers at once
///
/// Another receiver may take the message that one has seen, so a `SharedPort` cannot say that a receive would
/// not block, and it is no receiver in [`select!`](crate::select!) and no member of a
/// [`PortSet`](crate::PortSet). In a task, use your runtime's `select!` with
/// [`recv_async`](SharedPort::recv_async), which is cancel-safe. In a thread, drop the senders or close the
/// stream to make all receivers end, or use [`recv_timeout`](SharedPort::recv_timeout).
///
/// # Example
///
/// ```
/// let (mut chan, port) = pipes::stream();
/// let port = port.into_shared();
/// let workers: Vec<_> = (0..2)
///     .map(|_| {
///         let port = port.clone();
///         std::thread::spawn(move || port.iter().sum::<u32>())
///     })
///     .collect();
/// drop(port);
/// for number in 1..=100 {
///     chan.send(number)?;
/// }
/// drop(chan);
/// let sums = workers.into_iter().map(|worker| worker.join().expect("no worker panics"));
/// assert_eq!(sums.sum::<u32>(), 5050);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "dropping the last SharedPort closes it"]
pub struct SharedPort<T> {
    shared: Arc<Shared<T>>,
    /// This receiver's place in the queue, if it waits as a stream.
    ticket: Option<u64>,
    /// `true` once it has ended as a stream.
    is_over: bool,
}

// A message is moved in and out; it is never pinned.
impl<T> Unpin for SharedPort<T> {}

impl<T> Port<T> {
    /// Turns this port into one for several receivers. Messages that were sent and not received go to them.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let first = port.into_shared();
    /// let second = first.clone();
    /// chan.send(1)?;
    /// chan.send(2)?;
    /// assert_eq!((first.recv()?, second.recv()?), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_shared(mut self) -> SharedPort<T> {
        // Drops a waker that a poll has registered. This is its executor's code, so it runs before there is a
        // lock.
        drop(Member::unregister_token(&mut self));
        SharedPort::of(Arc::new(Shared::new(self)))
    }
}

impl<T> SharedPort<T> {
    const END: &'static EndInfo = &EndInfo::receiver::<T>("SharedPort");

    fn of(shared: Arc<Shared<T>>) -> Self {
        SharedPort { shared, ticket: None, is_over: false }
    }

    /// Receives a value, waiting until there is one for this receiver.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](SharedPort::recv_async) instead.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// chan.send(1)?;
    /// assert_eq!(port.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The sender was dropped or the stream was closed, and everything was received. Every later receive
    /// returns this error again.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    #[inline]
    fn recv_at(&self, caller: Caller) -> Result<T, RecvError> {
        let mut value = None;
        // An error means that there is none.
        if let Err(TryRecvError::Empty(())) = self.shared.try_receive(&mut value) {
            let _closed = self.shared.wait_and_receive(caller, None, &mut value);
        }
        value.ok_or(RecvError)
    }

    /// Receives a value if one is there. Never blocks, except for the moment in which another receiver has
    /// the lock.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// assert!(port.try_recv().is_err(), "nothing was sent");
    /// chan.send(1)?;
    /// assert_eq!(port.try_recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Empty` if nothing is there now; `Closed` as for [`recv`](SharedPort::recv).
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let mut value = None;
        self.shared.try_receive(&mut value)?;
        value.ok_or(TryRecvError::Closed)
    }

    /// Receives a value, waiting for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](SharedPort::recv_async) under a timeout instead.
    ///
    /// ```
    /// use pipes::RecvTimeoutError;
    /// use std::time::Duration;
    ///
    /// let (_chan, port) = pipes::stream::<u32>();
    /// let late = port.into_shared().recv_timeout(Duration::from_millis(1));
    /// assert_eq!(late, Err(RecvTimeoutError::Timeout(())));
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was none for this receiver in time; `Closed` as for [`recv`](SharedPort::recv).
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let mut value = None;
        self.shared.receive_until(Location::caller(), || Instant::now().checked_add(timeout), &mut value)?;
        value.ok_or(RecvTimeoutError::Closed)
    }

    /// Receives a value, waiting until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](SharedPort::recv_async) under a timeout instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (mut chan, port) = pipes::stream();
    /// chan.send(1)?;
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// assert_eq!(port.into_shared().recv_deadline(deadline), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`recv_timeout`](SharedPort::recv_timeout).
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        let mut value = None;
        self.shared.receive_until(Location::caller(), || Some(deadline), &mut value)?;
        value.ok_or(RecvTimeoutError::Closed)
    }

    /// Receives a value, in a task.
    ///
    /// From time to time the future gives way to other tasks, although a value is here; see
    /// [`Receive`](crate::Receive#blocking-async-or-both). `try_recv` never does.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, port) = pipes::stream();
    /// std::thread::spawn(move || chan.send(1));
    /// assert_eq!(port.into_shared().recv_async().await, Ok(1));
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a future that is dropped has received nothing, and if it was woken, another receiver is
    /// woken in its place. A future that was polled and is neither polled again nor dropped keeps its place
    /// in the queue, also if it is forgotten: if it is first, no other receive is woken, neither for the next
    /// value nor for the end.
    #[track_caller]
    pub fn recv_async(&self) -> SharedRecvFuture<'_, T> {
        SharedRecvFuture::new(&self.shared)
    }

    /// Returns `true` if a message is here. Both answers may already be stale, because another receiver may
    /// take it. Takes the receivers' lock for a moment.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// assert!(!port.is_ready());
    /// chan.send(1)?;
    /// assert!(port.is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&self) -> bool {
        self.shared.is_ready()
    }

    /// Returns `true` if the sender was dropped and there is nothing left to receive. `true` stays true;
    /// `false` may already be stale. Takes the receivers' lock for a moment.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// chan.send(1)?;
    /// drop(chan);
    /// assert!(!port.is_closed(), "there is a value left");
    /// port.recv()?;
    /// assert!(port.is_closed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_closed(&self) -> bool {
        self.shared.is_closed()
    }

    /// Returns `true` if no message is here. Both answers may already be stale. Takes the receivers' lock for
    /// a moment.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// assert!(port.is_empty());
    /// chan.send(1)?;
    /// assert!(!port.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.shared.buffer.is_empty() && self.shared.buffer.lock().is_empty()
    }

    /// Closes the stream for all receivers: from now on each send fails, also one that waits for room. Values
    /// that were sent and not received can still be received. Never blocks, except for the moment in which
    /// another receiver has the lock. O(values).
    ///
    /// Returns `true` if no receiver has closed the stream before. Otherwise it does nothing and returns at
    /// once: if the other close is still under way, sends may succeed until that one is done.
    ///
    /// While this call takes the values out of the stream, another receiver may find nothing, and waits until
    /// it is done. In a [`stream()`](crate::stream()), the close takes effect behind the last value that is
    /// here, as with [`Port::close`](crate::Port::close). The last step wakes senders and receivers. If a
    /// waker panics there, values that were not received may be dropped while the panic unwinds.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream();
    /// let port = port.into_shared();
    /// chan.send(1)?;
    /// assert!(port.close());
    /// assert!(chan.send(2).is_err());
    /// assert_eq!(port.recv(), Ok(1));
    /// assert_eq!(port.recv(), Err(pipes::RecvError));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn close(&self) -> bool {
        self.shared.close()
    }

    /// Returns the number of receivers of this stream, with this one. It may already be stale.
    ///
    /// ```
    /// let (_chan, port) = pipes::stream::<u32>();
    /// let port = port.into_shared();
    /// let other = port.clone();
    /// assert_eq!(port.receiver_count(), 2);
    /// drop(other);
    /// assert_eq!(port.receiver_count(), 1);
    /// ```
    pub fn receiver_count(&self) -> usize {
        Arc::strong_count(&self.shared)
    }

    /// Returns `true` if both receive from the same stream.
    ///
    /// ```
    /// let (_chan, port) = pipes::stream::<u32>();
    /// let port = port.into_shared();
    /// assert!(port.same_channel(&port.clone()));
    /// let (_chan, other) = pipes::stream();
    /// assert!(!port.same_channel(&other.into_shared()));
    /// ```
    pub fn same_channel(&self, other: &SharedPort<T>) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Returns the number of values that can be sent and not yet received, as
    /// [`Port::capacity`](crate::Port::capacity) does; `None` if there is no limit.
    ///
    /// ```
    /// let (_chan, port) = pipes::shared_sync_stream::<u32>(8);
    /// assert_eq!(port.into_shared().capacity(), Some(8));
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        self.shared.capacity
    }
}

impl<T> Clone for SharedPort<T> {
    fn clone(&self) -> Self {
        if cfg!(feature = "inspect") {
            uses::joined(self.shared.channel(), Party::Receiver as usize);
        }
        SharedPort::of(self.shared.clone())
    }
}

impl<T> Drop for SharedPort<T> {
    fn drop(&mut self) {
        if cfg!(feature = "inspect") {
            uses::left(self.shared.channel(), Party::Receiver as usize);
        }
        self.shared.leave(&mut self.ticket);
    }
}

impl<T> fmt::Debug for SharedPort<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPort").field("waits", &self.ticket.is_some()).finish_non_exhaustive()
    }
}
