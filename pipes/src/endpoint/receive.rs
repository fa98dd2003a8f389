//! The receiving verbs, the same on everything that receives.

use super::error::{RecvError, RecvTimeoutError, TryRecvError};
use super::future::{Ready, RecvFuture};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Something that can be waited for until a receive would not block: until there is a message, or the sender has left.
pub trait Readiness {
    /// Ready when a receive would not block: there is a message, or the sender has left. Until then the task is woken when
    /// that changes; of several polls the last one's waker counts.
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Blocks the thread until a receive would not block. False if the deadline passed first.
    fn wait(&mut self, deadline: Option<Instant>) -> bool;

    /// Is a message here? `true` stays true until it is received; `false` may be old news at once.
    fn is_ready(&self) -> bool;

    /// Has the sender left, with nothing left to receive? `true` stays true for ever; `false` may be old news at once.
    fn is_closed(&self) -> bool;

    /// Would a receive certainly not block, whatever the sender does meanwhile? For receivers to which something may be offered
    /// and taken back, `true` promises to take it.
    #[doc(hidden)]
    fn is_certain(&mut self) -> bool {
        self.is_ready() || self.is_closed()
    }

    /// Waits, in a task, until a receive would not block. Dropping the future loses nothing: it is cancel-safe.
    fn ready(&mut self) -> Ready<'_, Self>
    where
        Self: Sized,
    {
        Ready::new(self)
    }
}

impl<E: Readiness> Readiness for &mut E {
    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        (**self).poll_ready(cx)
    }

    #[inline]
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        (**self).wait(deadline)
    }

    fn is_ready(&self) -> bool {
        (**self).is_ready()
    }

    fn is_closed(&self) -> bool {
        (**self).is_closed()
    }

    fn is_certain(&mut self) -> bool {
        (**self).is_certain()
    }
}

/// Something that receives: an endpoint whose turn it is to receive, or a port (through `&mut`).
///
/// An endpoint is used up by a receive, because the message brings the endpoint for the next step; where there is no
/// message, it comes back in the error. A port is only borrowed: `Receive` is implemented for `&mut Port<T>`.
///
/// Every endpoint and port has these verbs as methods of its own; the trait is for code that is generic over receivers.
///
/// # Blocking, async, or both
///
/// Both kinds of verbs work on every receiver, and may be mixed on one. Blocking verbs put the calling thread to sleep;
/// in a task use the async ones, which work with any executor and need none of its features.
pub trait Receive: Readiness + Sized {
    /// What a receive gives.
    type Message;

    /// Receives if the message is there. Never blocks.
    ///
    /// # Errors
    ///
    /// [`TryRecvError::Empty`] with the receiver if nothing was sent yet; [`TryRecvError::Closed`] if the sender has left.
    fn try_recv(self) -> Result<Self::Message, TryRecvError<Self>>;

    /// Receives; blocks the thread until there is a message.
    ///
    /// # Errors
    ///
    /// The sender has left.
    #[inline]
    fn recv(self) -> Result<Self::Message, RecvError> {
        let mut receiver = self;
        loop {
            match receiver.try_recv() {
                Ok(message) => return Ok(message),
                Err(TryRecvError::Closed) => return Err(RecvError),
                Err(TryRecvError::Empty(back)) => receiver = back,
            }
            receiver.wait(None);
        }
    }

    /// Receives; blocks the thread for at most this long.
    ///
    /// A time too long for the clock to count is for ever; no time at all is a [`try_recv`](Receive::try_recv).
    ///
    /// # Errors
    ///
    /// [`RecvTimeoutError::Timeout`] with the receiver if nothing came in time; [`RecvTimeoutError::Closed`] if the sender
    /// has left.
    fn recv_timeout(self, timeout: Duration) -> Result<Self::Message, RecvTimeoutError<Self>> {
        receive_until(self, || Instant::now().checked_add(timeout))
    }

    /// Receives; blocks the thread until this moment at the latest.
    ///
    /// # Errors
    ///
    /// As for [`recv_timeout`](Receive::recv_timeout).
    fn recv_deadline(self, deadline: Instant) -> Result<Self::Message, RecvTimeoutError<Self>> {
        receive_until(self, || Some(deadline))
    }

    /// Receives, from a task. `endpoint.await` is the same.
    ///
    /// The future owns the endpoint: dropping it closes the endpoint, as dropping any endpoint does. Where a future may be
    /// dropped before it is done (in a `select!` or under a timeout), wait with [`ready`](Readiness::ready), which borrows,
    /// and receive then; or get the endpoint back with [`RecvFuture::into_inner`].
    fn recv_async(self) -> RecvFuture<Self> {
        RecvFuture::new(self)
    }
}

fn receive_until<E: Receive>(
    mut receiver: E,
    deadline: impl FnOnce() -> Option<Instant>,
) -> Result<E::Message, RecvTimeoutError<E>> {
    receiver = match receiver.try_recv() {
        Ok(message) => return Ok(message),
        Err(TryRecvError::Closed) => return Err(RecvTimeoutError::Closed),
        Err(TryRecvError::Empty(back)) => back,
    };
    let deadline = deadline();
    loop {
        let in_time = receiver.wait(deadline);
        match receiver.try_recv() {
            Ok(message) => return Ok(message),
            Err(TryRecvError::Closed) => return Err(RecvTimeoutError::Closed),
            Err(TryRecvError::Empty(back)) if in_time => receiver = back,
            Err(TryRecvError::Empty(back)) => return Err(RecvTimeoutError::Timeout(back)),
        }
    }
}
