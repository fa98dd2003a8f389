//! A value that comes later, and stays.

use crate::endpoint::RecvError;
use crate::oneshot::{PortOne, oneshot};
use crate::sync::spawn;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A value that exists already, comes through a port, is computed on demand, or is being computed by a
/// thread.
///
/// The value is kept: each [`get`](Eventual::get) returns the same one. An `Eventual` can also be awaited.
/// (In 2012 it was called a future.)
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
    /// An eventual that has this value.
    ///
    /// ```
    /// let mut value = pipes::Eventual::from_value(7);
    /// assert_eq!(value.get(), Ok(&7));
    /// ```
    pub fn from_value(value: T) -> Self {
        Eventual(Content::Value(value))
    }

    /// An eventual whose value comes through this port.
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

    /// An eventual whose value the function computes, once, in the first thread that needs it.
    ///
    /// ```
    /// let mut value = pipes::Eventual::lazy(|| 6 * 7);
    /// assert!(!value.is_ready(), "it was not asked for");
    /// assert_eq!(value.get(), Ok(&42));
    /// ```
    pub fn lazy(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Eventual(Content::Lazy(Box::new(make)))
    }

    /// An eventual whose value the function computes in its own thread, which starts now. If the function
    /// panics, or no thread can be started, there is an error instead of the value.
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
        // The eventual may be dropped.
        spawn("eventual", move || drop(chan.send(make())));
        Eventual::from_port(port)
    }

    /// Returns the value; blocks the thread until it is there.
    ///
    /// ```
    /// let mut value = pipes::Eventual::spawn(|| "computed once");
    /// assert_eq!(value.get(), Ok(&"computed once"));
    /// assert_eq!(value.get(), Ok(&"computed once"));
    /// ```
    ///
    /// # Errors
    ///
    /// The function has panicked in its thread or in an earlier call, or the sender was dropped without
    /// sending. Every later call returns this error again.
    ///
    /// # Panics
    ///
    /// The value is computed on demand, and its function panics in this call.
    pub fn get(&mut self) -> Result<&T, RecvError> {
        self.settle(PortOne::recv);
        self.value()
    }

    /// Returns the owned value; blocks the thread until it is there.
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
    /// As for [`get`](Eventual::get).
    ///
    /// # Panics
    ///
    /// As for [`get`](Eventual::get).
    pub fn into_inner(mut self) -> Result<T, RecvError> {
        self.settle(PortOne::recv);
        self.into_value()
    }

    /// Returns true if the value is there or its computation has failed, so that [`get`](Eventual::get) does
    /// not block. (A value that is computed on demand is not there before the first `get`.)
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

    /// Ready when the value is there or its computation has failed; otherwise the task is woken when that
    /// happens. Only the most recent poll's waker is kept: several tasks that share an eventual need an
    /// eventual each, or a channel.
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
    /// As for [`get`](Eventual::get).
    pub fn poll_get(&mut self, cx: &mut Context<'_>) -> Poll<Result<&T, RecvError>> {
        if let Content::Port(port) = &mut self.0
            && port.poll_ready(cx).is_pending()
        {
            return Poll::Pending;
        }
        self.settle(PortOne::recv);
        Poll::Ready(self.value())
    }

    /// Computes or receives the value, unless that was done.
    fn settle(&mut self, receive: impl FnOnce(PortOne<T>) -> Result<T, RecvError>) {
        // If the function panics, it has failed.
        self.0 = match std::mem::replace(&mut self.0, Content::Failed) {
            Content::Port(port) => receive(port).map_or(Content::Failed, Content::Value),
            Content::Lazy(make) => Content::Value(make()),
            settled => settled,
        };
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
    type IntoFuture = IntoValue<T>;

    fn into_future(self) -> IntoValue<T> {
        IntoValue(self)
    }
}

/// The value of an [`Eventual`] in a task: what `.await` waits for.
#[must_use = "futures do nothing unless they are awaited"]
pub struct IntoValue<T>(Eventual<T>);

// The value is moved out when it is there, and never pinned.
impl<T> Unpin for IntoValue<T> {}

impl<T> Future for IntoValue<T> {
    /// Polled again after completion, it returns an error.
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

impl<T> fmt::Debug for IntoValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IntoValue").field(&self.0).finish()
    }
}
