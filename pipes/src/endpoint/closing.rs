//! Asks whether the other side has left, or waits until it has, for a side whose turn it is to send.

use crate::wait::{EndList, PendingWait};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A sending end that can wait until the other side has left: a chan, or an endpoint of a protocol whose turn
/// it is to send.
///
/// Use it to stop a long computation when its result is no longer wanted. The methods borrow the end.
/// Afterwards it is usable as before: it can send, if the other side is still there, and be dropped.
///
/// Chans have these methods themselves. The methods of a protocol's endpoint are the protocol's messages,
/// whose names you choose, so for endpoints these methods come from the trait: `use pipes::Closing`. If a
/// message is called `closed` too, the method sends the message; call `Closing::closed(&mut endpoint)` to
/// wait.
///
/// ```
/// # #[cfg(feature = "proto")] {
/// use pipes::Closing;
/// use std::time::Duration;
///
/// pipes::proto! {
///     digging { asked: send { dig -> digging } digging: recv { found(u32) -> ! } }
/// }
///
/// let (client, server) = digging::pipe();
/// let client = client.dig()?;
/// let digging::Asked::Dig(mut server) = server.recv()?;
/// assert!(!server.is_closed(), "the client waits for the answer");
/// assert!(!server.wait_closed_timeout(Duration::from_millis(1)), "and still does");
///
/// drop(client);
/// server.wait_closed();
/// assert_eq!(server.found(7).expect_err("the client has left").into_payload(), 7);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sending end: on a receiver, a receive reports the close",
    label = "this receives"
)]
pub trait Closing {
    /// Returns `true` if the other side has left. `true` stays true; `false` may already be stale.
    fn is_closed(&self) -> bool;

    /// Polls for the other side to leave. The task is woken when that happens; only the most recent poll's
    /// waker is kept, and a send may drop it: poll again after a send.
    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Says what a wait for the other side waits for.
    #[doc(hidden)]
    fn closing_end(&self, list: &mut EndList) {
        list.add_other("a future");
    }

    /// Waits until the other side has left. Returns `false` if the deadline passed first.
    ///
    /// Blocks the thread; in a task, use [`closed`](Closing::closed) instead.
    #[track_caller]
    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool;

    /// Waits until the other side has left.
    ///
    /// Blocks the thread; in a task, use [`closed`](Closing::closed) instead.
    ///
    /// When it returns, everything that was sent and not received was dropped, or kept by a close that keeps
    /// it, such as [`Port::close`](crate::Port::close). If a send has failed before, the other side may still
    /// be dropping it.
    #[track_caller]
    fn wait_closed(&mut self) {
        self.wait_closed_until(None);
    }

    /// Waits until the other side has left, for at most `timeout`. Returns `true` if it has.
    ///
    /// Blocks the thread; in a task, use [`closed`](Closing::closed) under a timeout instead.
    ///
    /// A timeout too long for the clock waits forever; a timeout of zero only checks.
    #[track_caller]
    fn wait_closed_timeout(&mut self, timeout: Duration) -> bool {
        self.wait_closed_until(Instant::now().checked_add(timeout))
    }

    /// Waits, in a task, until the other side has left.
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the future borrows this end and changes nothing.
    #[track_caller]
    fn closed(&mut self) -> ClosedFuture<'_, Self>
    where
        Self: Sized,
    {
        ClosedFuture::new(self)
    }
}

/// Waits until the other side has left; see [`Closing::closed`]. Cancel-safe.
#[must_use = "futures do nothing unless they are awaited"]
pub struct ClosedFuture<'a, E>(&'a mut E, PendingWait);

impl<'a, E> ClosedFuture<'a, E> {
    #[track_caller]
    pub(crate) fn new(end: &'a mut E) -> Self {
        ClosedFuture(end, PendingWait::new())
    }
}

impl<E: Closing> Future for ClosedFuture<'_, E> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let ClosedFuture(end, wait) = &mut *self;
        wait.poll(cx, *end, E::closing_end, E::poll_closed)
    }
}

impl<E> fmt::Debug for ClosedFuture<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClosedFuture")
    }
}
