//! A value that is available later, and is then kept.

use crate::endpoint::{RecvError, would_complete};
use crate::oneshot::{PortOne, oneshot};
use crate::sync::spawn;
use crate::wait::budget;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A value that may not be available yet.
///
/// The value may exist already, come through a port, be computed on demand, or be computed by another thread.
/// It is kept: each [`get`](Eventual::get) returns the same value. An `Eventual` can also be awaited.
///
/// ```
/// let mut sum = pipes::Eventual::spawn(|| (1..=10).sum::<u32>());
/// assert_eq!(sum.get(), Ok(&55));
/// assert_eq!(sum.into_inner(), Ok(55));
/// ```
#[must_use = "an Eventual does nothing until its value is asked for"]
pub struct Eventual<T>(Content<T>);

enum Content<T> {
    Value(T),
    Port(PortOne<T>),
    Lazy(Box<dyn FnOnce() -> T + Send>),
    /// The value could not be computed or received.
    Failed,
}

impl<T> Eventual<T> {
    /// Creates an eventual whose value is `value`.
    ///
    /// ```
    /// let mut value = pipes::Eventual::from_value(7);
    /// assert_eq!(value.get(), Ok(&7));
    /// ```
    pub fn from_value(value: T) -> Self {
        Eventual(Content::Value(value))
    }

    /// Creates an eventual whose value is the one that `port` receives.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot();
    /// let mut value = pipes::Eventual::from_port(port);
    /// chan.send(7)?;
    /// assert_eq!(value.get(), Ok(&7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_port(port: PortOne<T>) -> Self {
        Eventual(Content::Port(port))
    }

    /// Creates an eventual that computes its value with `make`, once, in the thread that first asks for it.
    ///
    /// ```
    /// let mut value = pipes::Eventual::lazy(|| 6 * 7);
    /// assert!(!value.is_ready(), "it was not asked for");
    /// assert_eq!(value.get(), Ok(&42));
    /// ```
    pub fn lazy(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Eventual(Content::Lazy(Box::new(make)))
    }

    /// Starts a thread that computes the value with `make`, and returns the eventual at once.
    ///
    /// If the function panics, or the thread cannot be started, asking for the value returns an error.
    ///
    /// ```
    /// let mut sum = pipes::Eventual::spawn(|| (1..=10).sum::<u32>());
    /// let product = (1..=10_u64).product::<u64>();
    /// assert_eq!((sum.get(), product), (Ok(&55), 3_628_800));
    /// ```
    pub fn spawn(make: impl FnOnce() -> T + Send + 'static) -> Self
    where
        T: Send + 'static,
    {
        let (chan, port) = oneshot();
        // The send fails if the eventual was dropped; then nothing needs the value.
        spawn("eventual", move || drop(chan.send(make())));
        Eventual::from_port(port)
    }

    /// Returns a reference to the value, waiting until it is available.
    ///
    /// Blocks the thread; in a task, await the eventual instead. That returns the value itself.
    ///
    /// ```
    /// let mut value = pipes::Eventual::spawn(|| "computed once");
    /// assert_eq!(value.get(), Ok(&"computed once"));
    /// assert_eq!(value.get(), Ok(&"computed once"));
    /// ```
    ///
    /// # Errors
    ///
    /// The function panicked in its own thread or in an earlier call, the thread could not be started, or the
    /// sender was dropped without sending. Every later call returns this error again.
    ///
    /// # Panics
    ///
    /// Panics if the value is computed on demand and its function panics in this call.
    #[track_caller]
    pub fn get(&mut self) -> Result<&T, RecvError> {
        let caller = Location::caller();
        self.settle(|port| port.recv_at(caller));
        self.value()
    }

    /// Returns the value itself, waiting until it is available.
    ///
    /// Blocks the thread; in a task, await the eventual instead.
    ///
    /// ```
    /// let name = pipes::Eventual::lazy(|| String::from("Ada"));
    /// let name: String = name.into_inner()?;
    /// assert_eq!(name, "Ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The function panicked in its own thread or in an earlier call, the thread could not be started, or the
    /// sender was dropped without sending.
    ///
    /// # Panics
    ///
    /// Panics if the value is computed on demand and its function panics in this call.
    #[track_caller]
    pub fn into_inner(mut self) -> Result<T, RecvError> {
        let caller = Location::caller();
        self.settle(|port| port.recv_at(caller));
        self.into_value()
    }

    /// Returns `true` if [`get`](Eventual::get) would not block: the value is available, or its computation
    /// has failed. A value that is computed on demand is not available before the first `get`.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot();
    /// let value = pipes::Eventual::from_port(port);
    /// assert!(!value.is_ready());
    /// chan.send(7)?;
    /// assert!(value.is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&self) -> bool {
        match &self.0 {
            Content::Value(_) | Content::Failed => true,
            Content::Port(port) => port.is_ready() || port.is_closed(),
            Content::Lazy(_) => false,
        }
    }

    /// Polls for the value, until it is available or its computation has failed. The first poll may give way
    /// to other tasks, as a [receive](crate::Receive#blocking-async-or-both) does.
    ///
    /// The task is woken when that happens. Only the waker of the most recent poll is kept, so several tasks
    /// cannot wait for the same eventual: give each its own eventual, or use a channel.
    ///
    /// ```
    /// use std::task::{Context, Poll, Waker};
    ///
    /// let (chan, port) = pipes::oneshot();
    /// let mut value = pipes::Eventual::from_port(port);
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert_eq!(value.poll_get(&mut cx), Poll::Pending);
    /// chan.send(7)?;
    /// assert_eq!(value.poll_get(&mut cx), Poll::Ready(Ok(&7)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The function panicked in its own thread or in an earlier call, the thread could not be started, or the
    /// sender was dropped without sending.
    ///
    /// # Panics
    ///
    /// Panics if the value is computed on demand and its function panics in this call.
    pub fn poll_get(&mut self, cx: &mut Context<'_>) -> Poll<Result<&T, RecvError>> {
        if let Content::Port(port) = &mut self.0 {
            ready!(budget::receive(port, cx, would_complete, PortOne::poll_ready));
        }
        let caller = Location::caller();
        self.settle(|port| port.recv_at(caller));
        Poll::Ready(self.value())
    }

    /// Computes or receives the value, unless that was already done.
    fn settle(&mut self, receive: impl FnOnce(PortOne<T>) -> Result<T, RecvError>) {
        if let Content::Value(_) = &self.0 {
            return;
        }
        // If the function panics, the content remains `Failed`.
        match std::mem::replace(&mut self.0, Content::Failed) {
            Content::Port(port) => {
                if let Ok(value) = receive(port) {
                    self.0 = Content::Value(value);
                }
            }
            Content::Lazy(make) => self.0 = Content::Value(make()),
            Content::Value(_) | Content::Failed => {}
        }
    }

    fn value(&self) -> Result<&T, RecvError> {
        match &self.0 {
            Content::Value(value) => Ok(value),
            _ => Err(RecvError),
        }
    }

    fn into_value(self) -> Result<T, RecvError> {
        match self.0 {
            Content::Value(value) => Ok(value),
            _ => Err(RecvError),
        }
    }
}

impl<T> From<PortOne<T>> for Eventual<T> {
    fn from(port: PortOne<T>) -> Self {
        Eventual::from_port(port)
    }
}

impl<T> IntoFuture for Eventual<T> {
    type Output = Result<T, RecvError>;
    type IntoFuture = EventualFuture<T>;

    fn into_future(self) -> EventualFuture<T> {
        EventualFuture(self)
    }
}

/// The future of an [`Eventual`]'s value, which `.await` creates.
#[must_use = "futures do nothing unless they are awaited"]
pub struct EventualFuture<T>(Eventual<T>);

// The value is moved out when it is available; it is never pinned.
impl<T> Unpin for EventualFuture<T> {}

impl<T> Future for EventualFuture<T> {
    /// The value. A value that is computed on demand is computed in the first poll, which panics if its
    /// function does. If the future is polled again after completion, it returns an error.
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.0.poll_get(cx).is_pending() {
            return Poll::Pending;
        }
        Poll::Ready(std::mem::replace(&mut self.0, Eventual(Content::Failed)).into_value())
    }
}

impl<T> fmt::Debug for Eventual<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.0 {
            Content::Value(_) => "value",
            Content::Port(_) => "port",
            Content::Lazy(_) => "lazy",
            Content::Failed => "failed",
        };
        f.debug_tuple("Eventual").field(&format_args!("{state}")).finish()
    }
}

impl<T> fmt::Debug for EventualFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EventualFuture").field(&self.0).finish()
    }
}
