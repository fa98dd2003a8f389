//! The trait that a set needs of its members.

use super::error::{Closed, TryRecvError};
use super::receive::{Readiness, Receive};
use crate::slot::Token;

/// A receiver that can be a member of a [`PortSet`](crate::PortSet): a port, or an endpoint of a protocol.
///
/// Every endpoint type is a `Member`, including those of protocols. The trait is sealed: it cannot be
/// implemented for other types.
pub trait Member: Readiness + Sized + Sealed {
    /// What a receive returns.
    type Message;

    /// Receives from the member in `place` if that does not block. A port stays in its place; an endpoint is
    /// removed with its message, and so is any member that has closed.
    #[doc(hidden)]
    fn turn(place: &mut Option<Self>) -> Option<Result<Self::Message, Closed>>;

    /// Registers the token of a set. Returns `Err` if a receive may find something now.
    #[doc(hidden)]
    fn register_token(&mut self, token: Token) -> Result<(), Token>;

    /// Takes the token back. Returns `None` if the sender has taken it, or if it was never registered here. A
    /// waker that a poll has registered here instead is dropped.
    #[doc(hidden)]
    fn unregister_token(&mut self) -> Option<Token>;
}

/// What keeps other types from being a [`Member`].
///
/// ```compile_fail,E0277
/// # use std::{task::{Context, Poll}, time::Instant};
/// struct Mine;
///
/// impl pipes::Readiness for Mine {
///     // …
/// #   fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> { Poll::Ready(()) }
/// #   fn wait(&mut self, _: Option<Instant>) -> bool { true }
/// #   fn is_ready(&self) -> bool { true }
/// #   fn is_closed(&self) -> bool { true }
/// }
///
/// impl pipes::Member for Mine {
///     type Message = ();
///     // …
/// }
/// ```
pub trait Sealed {}

/// Implements [`Member::turn`] for an endpoint, which a receive consumes.
#[inline]
pub fn turn<E: Receive>(place: &mut Option<E>) -> Option<Result<E::Message, Closed>> {
    match place.take()?.try_recv() {
        Ok(message) => Some(Ok(message)),
        Err(TryRecvError::Closed) => Some(Err(Closed)),
        Err(TryRecvError::Empty(endpoint)) => {
            *place = Some(endpoint);
            None
        }
    }
}

/// Implements [`Member::turn`] for a port, which stays.
#[inline]
pub(crate) fn turn_of_port<P, M>(
    place: &mut Option<P>,
    receive: impl FnOnce(&mut P) -> Result<M, TryRecvError>,
) -> Option<Result<M, Closed>> {
    let received = receive(place.as_mut()?);
    match received {
        Ok(_) => {}
        Err(TryRecvError::Empty(())) => return None,
        Err(TryRecvError::Closed) => *place = None,
    }
    Some(received.map_err(|_| Closed))
}
