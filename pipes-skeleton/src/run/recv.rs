//! Receiving, which waits if necessary. A stop ends the wait.
//!
//! The waits are generic over the type of the items only. A pipeline has many stages, and what is generic
//! over their functions is compiled for each of them.

use super::threads::{Threads, WaitError};
use pipes::{Chan, Port};
use std::cell::RefCell;
use std::task::{Context, Poll};
use std::time::Instant;

/// A limit, such as a deadline, that ends a wait before there is something to receive.
pub(crate) trait Limit {
    /// Returns the deadline. This is called again each time the thread is woken.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Returns `true` if the limit is reached. This is called between items that need no wait.
    fn is_reached(&self) -> bool {
        false
    }

    /// Polls until the limit is reached.
    fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

/// No limit.
pub(crate) struct Unlimited;

impl Limit for Unlimited {}

impl Limit for Option<Instant> {
    fn deadline(&self) -> Option<Instant> {
        *self
    }
}

/// A limit that is reached when the receiver of a chan is dropped.
pub(crate) struct WhileOpen<'a, T>(pub(crate) &'a mut Chan<T>);

impl<T> Limit for WhileOpen<'_, T> {
    fn is_reached(&self) -> bool {
        self.0.is_closed()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_closed(cx)
    }
}

/// A limit that is reached when this run, if any, is draining. The drain wakes the thread.
pub(crate) struct UntilDrained<'a>(pub(crate) Option<&'a Threads>);

impl Limit for UntilDrained<'_> {
    fn is_reached(&self) -> bool {
        self.0.is_some_and(Threads::is_draining)
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if self.is_reached() { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// Receives a value. Returns `None` if the senders are gone. Calls `flush` before it waits.
///
/// # Errors
///
/// Returns an error if the run is stopped, or if the limit is reached.
#[inline]
pub(crate) fn recv_with_flush<T>(
    port: &mut Port<T>,
    threads: &Threads,
    limit: &mut dyn Limit,
    flush: impl FnOnce(),
) -> Result<Option<T>, WaitError> {
    let value = port.try_iter().next();
    if value.is_some() {
        return Ok(value);
    }
    flush();
    recv_later(port, threads, limit)
}

/// Waits for a value, and receives it. Returns `None` if the senders are gone.
///
/// # Errors
///
/// Returns an error if the run is stopped, or if the limit is reached.
#[cold]
#[inline(never)]
pub(crate) fn recv_later<T>(
    port: &mut Port<T>,
    threads: &Threads,
    limit: &mut dyn Limit,
) -> Result<Option<T>, WaitError> {
    loop {
        wait(port, threads, limit)?;
        let value = port.try_iter().next();
        if value.is_some() || port.is_closed() {
            return Ok(value);
        }
    }
}

/// Waits until a receive would not wait. Returns `true` if the senders are gone and there is nothing left to
/// receive.
///
/// # Errors
///
/// Returns an error if the run is stopped, or if the limit is reached.
pub(crate) fn wait_or_end<T>(
    port: &mut Port<T>,
    threads: &Threads,
    limit: &mut dyn Limit,
) -> Result<bool, WaitError> {
    wait(port, threads, limit)?;
    Ok(port.is_closed())
}

/// Waits until a receive would not wait.
fn wait<T>(port: &mut Port<T>, threads: &Threads, limit: &mut dyn Limit) -> Result<(), WaitError> {
    // The closures borrow these, but never at the same time.
    let (port, limit) = (RefCell::new(port), RefCell::new(limit));
    threads.wait(
        "an item of a pipeline",
        || limit.borrow().deadline(),
        || port.borrow().is_ready(),
        |cx| match port.borrow_mut().poll_ready(cx) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            Poll::Pending => limit.borrow_mut().poll(cx).map(|()| Err(WaitError::LimitReached)),
        },
    )?
}
