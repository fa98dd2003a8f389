//! How a stage receives: at once if it can, otherwise in a wait that a stop ends.
//!
//! The waits are generic over the type of the items alone: a pipeline has many stages, and what is generic
//! over their functions is compiled for each.

use super::crew::{Crew, Ended};
use pipes::{Chan, Port};
use std::cell::RefCell;
use std::task::{Context, Poll};
use std::time::Instant;

/// A limit, which ends a wait before there is something to receive. A deadline is a limit.
pub(crate) trait Limit {
    /// Returns the deadline. It is called again each time that the thread is woken.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Returns `true` if the limit is reached. It is called where there is no need to wait.
    fn has_happened(&self) -> bool {
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

/// A limit that is reached when the receiver of a chan has left.
pub(crate) struct WhileOpen<'a, T>(pub(crate) &'a mut Chan<T>);

impl<T> Limit for WhileOpen<'_, T> {
    fn has_happened(&self) -> bool {
        self.0.is_closed()
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_closed(cx)
    }
}

/// Receives a value within a limit; calls `pay` before it waits. Returns `None` if the senders have left.
///
/// # Errors
///
/// The run has been stopped, or the limit is reached.
#[inline]
pub(crate) fn recv_paying<T>(
    port: &mut Port<T>,
    crew: &Crew,
    limit: &mut dyn Limit,
    pay: impl FnOnce(),
) -> Result<Option<T>, Ended> {
    let value = port.try_iter().next();
    if value.is_some() {
        return Ok(value);
    }
    pay();
    recv_later(port, crew, limit)
}

/// Waits for an item, and receives it.
///
/// # Errors
///
/// The run has been stopped, or the limit is reached.
#[cold]
#[inline(never)]
pub(crate) fn recv_later<T>(
    port: &mut Port<T>,
    crew: &Crew,
    limit: &mut dyn Limit,
) -> Result<Option<T>, Ended> {
    loop {
        wait(port, crew, limit)?;
        let value = port.try_iter().next();
        if value.is_some() || port.is_closed() {
            return Ok(value);
        }
    }
}

/// Waits until a receive would not wait. Returns `true` if there is nothing more to receive.
///
/// # Errors
///
/// The run has been stopped, or the limit is reached.
pub(crate) fn wait_or_end<T>(port: &mut Port<T>, crew: &Crew, limit: &mut dyn Limit) -> Result<bool, Ended> {
    wait(port, crew, limit)?;
    Ok(port.is_closed())
}

/// Waits until a receive would not wait.
fn wait<T>(port: &mut Port<T>, crew: &Crew, limit: &mut dyn Limit) -> Result<(), Ended> {
    // The closures borrow them one after the other.
    let (port, limit) = (RefCell::new(port), RefCell::new(limit));
    crew.until(
        || limit.borrow().deadline(),
        || port.borrow().is_ready(),
        |cx| match port.borrow_mut().poll_ready(cx) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            Poll::Pending => limit.borrow_mut().poll(cx).map(|()| Err(Ended::Late)),
        },
    )?
}
