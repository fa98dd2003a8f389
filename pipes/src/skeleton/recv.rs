//! How a stage receives: at once if it can, else in a wait that a stop ends.

use super::crew::{Crew, Ended, Halted};
use crate::endpoint::TryRecvError;
use crate::stream::Port;
use std::cell::RefCell;
use std::time::Instant;

/// Receives; None: the senders have gone.
///
/// # Errors
///
/// Everything is to stop.
#[inline]
pub(super) fn recv<T>(port: &mut Port<T>, crew: &Crew) -> Result<Option<T>, Halted> {
    match port.try_recv() {
        Ok(value) => Ok(Some(value)),
        Err(TryRecvError::Closed) => Ok(None),
        Err(TryRecvError::Empty(())) => Ok(recv_later(port, crew, || None)?),
    }
}

/// The same until the deadline, and pays what it owes before it waits.
///
/// # Errors
///
/// Everything is to stop, or the deadline has passed.
#[inline]
pub(super) fn recv_paying<T>(
    port: &mut Port<T>,
    crew: &Crew,
    deadline: impl Fn() -> Option<Instant>,
    pay: impl FnOnce(),
) -> Result<Option<T>, Ended> {
    match port.try_recv() {
        Ok(value) => Ok(Some(value)),
        Err(TryRecvError::Closed) => Ok(None),
        Err(TryRecvError::Empty(())) => {
            pay();
            recv_later(port, crew, deadline)
        }
    }
}

/// Waits first.
///
/// # Errors
///
/// As for [`recv_paying`].
#[cold]
#[inline(never)]
pub(super) fn recv_later<T>(
    port: &mut Port<T>,
    crew: &Crew,
    deadline: impl Fn() -> Option<Instant>,
) -> Result<Option<T>, Ended> {
    loop {
        wait(port, crew, &deadline)?;
        match port.try_recv() {
            Ok(value) => return Ok(Some(value)),
            Err(TryRecvError::Closed) => return Ok(None),
            Err(TryRecvError::Empty(())) => {}
        }
    }
}

/// Waits until a receive would not wait.
fn wait<T>(port: &mut Port<T>, crew: &Crew, deadline: impl Fn() -> Option<Instant>) -> Result<(), Ended> {
    // Both closures look at the port, one after the other.
    let port = RefCell::new(port);
    crew.until(deadline, || port.borrow().is_ready(), |cx| port.borrow_mut().poll_ready(cx))
}
