//! Endless typed streams.

use crate::endpoint::{
    Closed, Member, Readiness, Ready, Receive, RecvError, RecvFuture, RecvTimeoutError, SendError,
    TryRecvError, turn_of_port,
};
use crate::slot::{Received, Receiver, Sender, Token, endless};
use futures_core::{FusedStream, Stream};
use futures_sink::Sink;
use std::fmt;
use std::iter::FusedIterator;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A stream of any number of values, in order, from its [`Chan`] to its [`Port`].
///
/// Sending never blocks: what is not yet received is kept, in blocks of slots that go back to the sender when they are
/// empty. Once that is warm, neither end allocates, unless more is unread than eight blocks hold (some five hundred small
/// values): a longer backlog takes its memory from the allocator, a block at a time, and gives it back when it is read.
///
/// ```
/// let (mut chan, mut port) = pipes::stream();
/// chan.send("hello")?;
/// chan.send("world")?;
/// drop(chan);
/// assert_eq!(port.recv()?, "hello");
/// assert_eq!(port.recv()?, "world");
/// assert!(port.recv().is_err(), "what was sent comes before the close");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stream<T>() -> (Chan<T>, Port<T>) {
    let (sender, receiver) = endless();
    (Chan(sender), Port(receiver))
}

/// The sending end of a [`stream()`]. Dropping it closes the stream; what was sent can still be received.
///
/// It is a [`Sink`] that is always ready.
#[must_use = "dropping a Chan closes it"]
pub struct Chan<T>(Sender<T>);

/// The receiving end of a [`stream()`]. Dropping it closes the stream and drops all that was sent and not received. If the
/// destructor of a value panics then, the others run all the same (a second panic on top of the first aborts, as everywhere).
///
/// It is an iterator's worth of values ([`iter`](Port::iter), `for value in port`), and a [`Stream`].
#[must_use = "dropping a Port closes it"]
pub struct Port<T>(Receiver<T>);

impl<T> Chan<T> {
    /// Sends a value. Never blocks.
    ///
    /// # Errors
    ///
    /// The port has gone; here is the value. Every further send says so again.
    #[inline]
    pub fn send(&mut self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value).map_err(SendError::new)
    }

    /// Has the port gone, or was this end closed as a sink? `true` stays true; `false` may be old news at once.
    pub fn is_closed(&self) -> bool {
        self.0.receiver_has_left()
    }
}

impl<T> Port<T> {
    /// Receives the next value; blocks the thread until it is there.
    ///
    /// # Errors
    ///
    /// The chan has gone and everything was received. Every further receive says so again.
    #[inline]
    pub fn recv(&mut self) -> Result<T, RecvError> {
        Receive::recv(self)
    }

    /// Receives the next value if it is there; never blocks.
    ///
    /// # Errors
    ///
    /// `Empty` if nothing is there now; `Closed` as for [`recv`](Port::recv).
    #[inline]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        Receive::try_recv(self).map_err(|error| error.map(drop))
    }

    /// Receives the next value; blocks the thread for at most this long.
    ///
    /// # Errors
    ///
    /// `Timeout` if nothing came in time; `Closed` as for [`recv`](Port::recv).
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        Receive::recv_timeout(self, timeout).map_err(|error| error.map(drop))
    }

    /// Receives the next value; blocks the thread until this moment at the latest.
    ///
    /// # Errors
    ///
    /// As for [`recv_timeout`](Port::recv_timeout).
    pub fn recv_deadline(&mut self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        Receive::recv_deadline(self, deadline).map_err(|error| error.map(drop))
    }

    /// Receives the next value, from a task. Cancel-safe: the future borrows the port, and a value that it did not give is
    /// still there.
    #[inline]
    pub fn recv_async(&mut self) -> RecvFuture<&mut Self> {
        Receive::recv_async(self)
    }

    /// Waits, in a task, until a receive would not block. Cancel-safe.
    pub fn ready(&mut self) -> Ready<'_, Self> {
        Readiness::ready(self)
    }

    /// Ready when a receive would not block; until then the task is woken when that changes.
    #[inline]
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        Readiness::poll_ready(self, cx)
    }

    /// Is a value here? `true` stays true until it is received; `false` may be old news at once.
    pub fn is_ready(&self) -> bool {
        Readiness::is_ready(self)
    }

    /// Has the chan gone, with nothing left to receive? `true` stays true; `false` may be old news at once.
    pub fn is_closed(&self) -> bool {
        Readiness::is_closed(self)
    }

    /// The values until the chan has gone; blocks the thread for each.
    pub fn iter(&mut self) -> Iter<'_, T> {
        Iter(self)
    }

    /// The values that are there now; never blocks.
    pub fn try_iter(&mut self) -> TryIter<'_, T> {
        TryIter(self)
    }
}

impl<T> Receive for &mut Port<T> {
    type Message = T;

    #[inline]
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
        self.0.block(deadline)
    }

    fn is_ready(&self) -> bool {
        self.0.peek() == Some(true)
    }

    fn is_closed(&self) -> bool {
        self.0.peek() == Some(false)
    }
}

impl<T> Member for Port<T> {
    type Message = T;

    #[inline]
    fn turn(place: &mut Option<Self>) -> Option<Result<T, Closed>> {
        turn_of_port(place, Port::try_recv)
    }

    #[inline]
    fn watch(&mut self, token: Token) -> Result<(), Token> {
        self.0.leave_token(token)
    }

    fn unwatch(&mut self) -> Option<Token> {
        self.0.take_token()
    }
}

impl<T> Stream for Port<T> {
    type Item = T;

    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll(cx).map(|()| self.recv().ok())
    }
}

impl<T> FusedStream for Port<T> {
    fn is_terminated(&self) -> bool {
        self.0.is_over()
    }
}

impl<T> Sink<T> for Chan<T> {
    type Error = SendError<T>;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), SendError<T>> {
        self.send(value)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        self.0.close();
        Poll::Ready(Ok(()))
    }
}

/// The values of a port until its chan has gone; see [`Port::iter`].
#[derive(Debug)]
pub struct Iter<'a, T>(&'a mut Port<T>);

/// The values of a port that are there; see [`Port::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T>(&'a mut Port<T>);

/// The values of a port until its chan has gone, and the port with them.
#[derive(Debug)]
pub struct IntoIter<T>(Port<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<T> IntoIterator for Port<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}

impl<'a, T> IntoIterator for &'a mut Port<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> fmt::Debug for Chan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chan").field("closed", &self.is_closed()).finish()
    }
}

impl<T> fmt::Debug for Port<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Port").field("ready", &self.is_ready()).field("closed", &self.is_closed()).finish()
    }
}
