//! Ports: the receiving end of each kind of stream.

use super::iter::{Iter, TryIter};
use super::receiver_flavor::ReceiverFlavor;
use crate::endpoint::{
    Closed, Member, Readiness, Receive, RecvError, Sealed, TryRecvError, turn_of_port, would_complete,
};
use crate::slot::{BoundedReceiver, Received, Receiver, Token};
use crate::sync::may_block;
use crate::wait::{Caller, DeferredWakes, EndInfo, EndList, budget};
use futures_core::{FusedStream, Stream};
use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// The receiving end of a stream of any kind. Dropping it closes the stream and drops all unread values. If
/// the destructor of a value panics, the destructors of the others still run.
///
/// The unread values of a [`sync_stream()`](crate::sync_stream()) are dropped before the sender can see the
/// close. So the destructor of a value must not wait for a sender that waits for room in the same stream:
/// neither wait would end. With many senders, sends fail before the unread values are dropped.
///
/// A port can be iterated ([`iter`](Port::iter), `for value in port`), and is a [`Stream`].
#[doc(alias = "Receiver")]
#[must_use = "dropping a Port closes it"]
pub struct Port<T>(pub(super) ReceiverFlavor<T>);

impl<T> Port<T> {
    const END: &'static EndInfo = &EndInfo::receiver::<T>("Port");

    pub(super) fn unbounded(receiver: Receiver<T>) -> Self {
        Port(ReceiverFlavor::Unbounded(receiver))
    }

    pub(super) fn bounded(receiver: BoundedReceiver<T>, capacity: usize) -> Self {
        Port(ReceiverFlavor::Bounded(receiver, capacity))
    }

    /// Receives the next value, waiting until there is one.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](Port::recv_async) instead.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// chan.send(1)?;
    /// drop(chan);
    /// assert_eq!(port.recv(), Ok(1));
    /// assert_eq!(port.recv(), Err(pipes::RecvError));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The chan was dropped and every value was received. Every later receive returns this error again.
    #[inline]
    #[track_caller]
    pub fn recv(&mut self) -> Result<T, RecvError> {
        const { may_block() };
        self.recv_at(Location::caller())
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __recv(&mut self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    #[inline(always)]
    pub(super) fn recv_at(&mut self, caller: Caller) -> Result<T, RecvError> {
        match self.0.take() {
            Received::Message(value) => Ok(value),
            Received::Closed => Err(RecvError),
            Received::Nothing(()) => self.wait_and_receive(caller),
        }
    }

    #[cold]
    #[inline(never)]
    fn wait_and_receive(&mut self, caller: Caller) -> Result<T, RecvError> {
        loop {
            self.0.block(None, Self::END, caller);
            match self.0.take() {
                Received::Message(value) => return Ok(value),
                Received::Closed => return Err(RecvError),
                Received::Nothing(()) => {}
            }
        }
    }

    /// Receives the next value if there is one. Never blocks.
    ///
    /// ```
    /// use pipes::TryRecvError;
    ///
    /// let (mut chan, mut port) = pipes::stream();
    /// assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    /// chan.send(1)?;
    /// assert_eq!(port.try_recv(), Ok(1));
    /// drop(chan);
    /// assert_eq!(port.try_recv(), Err(TryRecvError::Closed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Empty` if there is no value now; `Closed` if the chan was dropped and every value was received.
    #[inline]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        into_result(self.0.take())
    }

    /// Blocks the thread until a receive would not block. Returns `false` if the deadline passed first. To
    /// other threads, the port is this end.
    #[inline]
    pub(crate) fn wait_as(
        &mut self,
        deadline: Option<Instant>,
        end: &'static EndInfo,
        caller: Caller,
    ) -> bool {
        self.0.block(deadline, end, caller)
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.channel()
    }

    /// Receives as [`try_recv`](Port::try_recv) does, but returns the wakers that are to be woken instead of
    /// waking them, for a caller that holds a lock.
    pub(crate) fn try_recv_deferred(
        &mut self,
        into: &mut Option<T>,
        wakes: &mut DeferredWakes,
    ) -> Result<(), TryRecvError> {
        into_result(self.0.take_deferred(into, wakes))
    }

    /// Returns the number of values that can be sent and not yet received; `None` if there is no limit.
    ///
    /// There is no `len`: counting the values would cost each message a step.
    ///
    /// ```
    /// assert_eq!(pipes::sync_stream::<u32>(8).1.capacity(), Some(8));
    /// assert_eq!(pipes::stream::<u32>().1.capacity(), None);
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        self.0.capacity()
    }

    /// Returns `true` if no value is here: the opposite of [`is_ready`](Port::is_ready). `true` may already
    /// be stale.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// assert!(port.is_empty());
    /// chan.send(1)?;
    /// assert!(!port.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.peek() != Some(true)
    }

    /// Returns an iterator over the values, until the chan is dropped.
    ///
    /// Blocks the thread; in a task, use the port as a stream instead.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// std::thread::spawn(move || (1..=3).try_for_each(|number| chan.send(number)));
    /// assert!(port.iter().eq([1, 2, 3]));
    /// ```
    #[track_caller]
    pub fn iter(&mut self) -> Iter<'_, T> {
        Iter(self, Location::caller())
    }

    /// Returns an iterator over the values that are here. Never blocks.
    ///
    /// Values that are sent in the meantime are included, so it does not end if the sender keeps up.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// chan.send(1)?;
    /// chan.send(2)?;
    /// assert!(port.try_iter().eq([1, 2]), "what is there");
    /// chan.send(3)?;
    /// assert!(port.try_iter().eq([3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn try_iter(&mut self) -> TryIter<'_, T> {
        TryIter(self)
    }

    /// Takes all values that are here, in order. Never blocks.
    ///
    /// This is [`try_recv_many`](Port::try_recv_many) without a limit, into a new vector: if the stream is
    /// unbounded, and its senders keep up, it does not return before they pause. O(values).
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// chan.send_all(&mut vec![1, 2, 3])?;
    /// assert_eq!(port.drain(), [1, 2, 3]);
    /// assert_eq!(port.drain(), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drain(&mut self) -> Vec<T> {
        let mut values = Vec::new();
        // The end is left for a receive, and for this port as a stream.
        if self.is_ready() {
            // Both errors mean that there is none.
            let _none = self.try_recv_many(&mut values, usize::MAX);
        }
        values
    }

    /// Closes the stream, and returns the values that were sent and not received, in order. Never blocks.
    ///
    /// Dropping the port closes it too, but drops these values. O(values).
    ///
    /// Each value either is in the vector, or comes back to its sender: if a send has returned `Ok`, its
    /// value was received or is in the vector, and from now on each send fails, also one that waits for room.
    /// A value that a sender offers in a [`sync_stream(0)`](crate::sync_stream()) comes back to it.
    ///
    /// In a [`stream()`](crate::stream()) the close takes effect behind the last value that is here; what the
    /// sender sends while the values before it are taken is taken as well.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream();
    /// chan.send(1)?;
    /// chan.send(2)?;
    /// assert_eq!(port.close(), [1, 2]);
    /// assert_eq!(chan.send(3).unwrap_err().into_payload(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the values that were not received are returned; to drop them, drop the port"]
    pub fn close(self) -> Vec<T> {
        let mut values = Vec::new();
        self.0.leave(&mut values);
        values
    }
}

/// Translates the result of a look into that of a receive.
#[inline(always)]
fn into_result<T>(received: Received<T, ()>) -> Result<T, TryRecvError> {
    match received {
        Received::Message(value) => Ok(value),
        Received::Closed => Err(TryRecvError::Closed),
        Received::Nothing(()) => Err(TryRecvError::Empty(())),
    }
}

crate::endpoint::__port_verbs! { impl [T] for Port<T>, message T }

impl<T> Receive for &mut Port<T> {
    type Message = T;

    // It is always inlined, because in large crates the compiler left a call here, which took a tenth of a
    // receive.
    #[inline(always)]
    fn try_recv(self) -> Result<T, TryRecvError<Self>> {
        match self.0.take() {
            Received::Message(value) => Ok(value),
            Received::Nothing(()) => Err(TryRecvError::Empty(self)),
            Received::Closed => Err(TryRecvError::Closed),
        }
    }
}

impl<T> Readiness for Port<T> {
    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll(cx)
    }

    #[inline]
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.wait_as(deadline, Self::END, Location::caller())
    }

    fn is_ready(&self) -> bool {
        self.0.has_value()
    }

    fn is_closed(&self) -> bool {
        self.0.peek() == Some(false)
    }

    fn would_block(&self) -> bool {
        self.0.would_block()
    }

    fn ends(&self, list: &mut EndList) {
        list.add(Self::END, self.channel());
    }
}

impl<T> Sealed for Port<T> {}

impl<T> Member for Port<T> {
    type Message = T;

    #[inline(always)]
    fn turn(place: &mut Option<Self>) -> Option<Result<T, Closed>> {
        turn_of_port(place, Port::try_recv)
    }

    #[inline(always)]
    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        self.0.register_token(token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        self.0.unregister_token()
    }
}

/// Gives way to other tasks as [`recv_async`](Port::recv_async) does.
impl<T> Stream for Port<T> {
    type Item = T;

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let poll = |port: &mut Port<T>, cx: &mut Context<'_>| {
            ready!(port.0.poll(cx));
            Poll::Ready(port.__recv().ok())
        };
        budget::receive(&mut *self, cx, would_complete, poll)
    }
}

impl<T> FusedStream for Port<T> {
    fn is_terminated(&self) -> bool {
        self.0.is_over()
    }
}

impl<T> fmt::Debug for Port<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here = self.0.peek();
        f.debug_struct("Port")
            .field("ready", &(here == Some(true)))
            .field("closed", &(here == Some(false)))
            .finish()
    }
}
