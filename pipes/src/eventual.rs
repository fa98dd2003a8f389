//! A value that comes later, and stays.

use crate::endpoint::RecvError;
use crate::oneshot::{PortOne, oneshot};
use crate::sync::spawn;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A value that is there already, comes through a port, is computed when it is asked for, or is being computed by a thread.
///
/// What was got once is kept: a further [`get`](Eventual::get) gives the same value again. (2012 called it a future; that word has
/// another meaning now. An `Eventual` can be awaited, too.)
///
/// ```
/// let mut sum = pipes::Eventual::spawn(|| (1..=10).sum::<u32>());
/// assert_eq!(sum.get(), Ok(&55));
/// assert_eq!(sum.into_inner(), Ok(55));
/// ```
#[must_use = "a value that nobody asks for is of no use"]
pub struct Eventual<T>(State<T>);

enum State<T> {
    Value(T),
    Port(PortOne<T>),
    Lazy(Box<dyn FnOnce() -> T + Send>),
    /// Whoever was to make the value has not.
    Failed,
}

impl<T> Eventual<T> {
    /// This value, at once.
    pub fn from_value(value: T) -> Self {
        Eventual(State::Value(value))
    }

    /// The value that comes through this port.
    pub fn from_port(port: PortOne<T>) -> Self {
        Eventual(State::Port(port))
    }

    /// What the function gives, which is called by whoever asks first, in that thread, and once.
    pub fn lazy(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Eventual(State::Lazy(Box::new(make)))
    }

    /// What the function gives, which runs in a thread of its own from now on. If it panics, or the system has no thread left,
    /// there will be an error instead of the value.
    pub fn spawn(make: impl FnOnce() -> T + Send + 'static) -> Self
    where
        T: Send + 'static,
    {
        let (chan, port) = oneshot();
        // Nobody may be left who wants it.
        spawn(move || drop(chan.send(make())));
        Eventual::from_port(port)
    }

    /// The value; blocks the thread until it is there.
    ///
    /// # Errors
    ///
    /// Whoever was to make the value has panicked, or gone without it. It stays so.
    pub fn get(&mut self) -> Result<&T, RecvError> {
        self.settle(PortOne::recv);
        self.value()
    }

    /// The value itself; blocks the thread until it is there.
    ///
    /// # Errors
    ///
    /// As for [`get`](Eventual::get).
    pub fn into_inner(mut self) -> Result<T, RecvError> {
        self.settle(PortOne::recv);
        self.into_value()
    }

    /// Is the value there, or has its maker failed? Then [`get`](Eventual::get) does not block. (One that is computed when it is asked
    /// for is never there before.)
    pub fn is_ready(&self) -> bool {
        match &self.0 {
            State::Value(_) | State::Failed => true,
            State::Port(port) => port.is_ready() || port.is_closed(),
            State::Lazy(_) => false,
        }
    }

    /// Ready when the value is there, or its maker has failed; until then the task is woken when that changes.
    ///
    /// # Errors
    ///
    /// As for [`get`](Eventual::get).
    pub fn poll_get(&mut self, cx: &mut Context<'_>) -> Poll<Result<&T, RecvError>> {
        if let State::Port(port) = &mut self.0
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
        self.0 = match std::mem::replace(&mut self.0, State::Failed) {
            State::Port(port) => receive(port).map_or(State::Failed, State::Value),
            State::Lazy(make) => State::Value(make()),
            settled => settled,
        };
    }

    fn value(&self) -> Result<&T, RecvError> {
        match &self.0 {
            State::Value(value) => Ok(value),
            _ => Err(RecvError),
        }
    }

    fn into_value(self) -> Result<T, RecvError> {
        match self.0 {
            State::Value(value) => Ok(value),
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
    /// Polled again after it was done, it gives an error.
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.0.poll_get(cx).is_pending() {
            return Poll::Pending;
        }
        Poll::Ready(std::mem::replace(&mut self.0, Eventual(State::Failed)).into_value())
    }
}

impl<T> fmt::Debug for Eventual<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.0 {
            State::Value(_) => "value",
            State::Port(_) => "port",
            State::Lazy(_) => "lazy",
            State::Failed => "failed",
        };
        f.debug_tuple("Eventual").field(&format_args!("{state}")).finish()
    }
}

impl<T> fmt::Debug for IntoValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IntoValue").field(&self.0).finish()
    }
}
