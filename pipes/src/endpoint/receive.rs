//! The receiving methods, which all receivers share.

use super::error::{RecvError, RecvOrError, RecvTimeoutError, TryRecvError};
use crate::sync::may_block;
use crate::wait::{EndList, PendingWait, budget};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

/// A receiver that can be waited for until a receive would not block, which is when there is a message or the
/// sender has left.
///
/// So is a request for room in a stream ([`SendRequest`](crate::SendRequest)), for which the methods say
/// whether a send would block, and which is ready when there is room or the port has left.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be waited for: it is no receiver",
    label = "this is no endpoint of a protocol, no port and no `PortSet`",
    note = "in `select!`, a limit on the wait is the arm `timeout(duration) => …`; in `select_async!` it is `timeout(future) => …`, \
            with any future, such as a timer of your runtime"
)]
pub trait Readiness {
    /// Polls until a receive would not block, which is when there is a message or the sender has left. The
    /// task is woken when that happens; only the most recent poll's waker is kept.
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Waits until a receive would not block. Returns `false` if the deadline passed first.
    ///
    /// Blocks the thread; in a task, use [`ready`](Readiness::ready) instead. If it has to wait, it replaces
    /// a task that has polled before, which is no longer woken.
    #[track_caller]
    fn wait(&mut self, deadline: Option<Instant>) -> bool;

    /// Returns `true` if a message is here. `true` stays true until it is received; `false` may already be
    /// stale. In a stream of capacity 0, `true` promises the sender that its value will be received, so that
    /// it cannot take the value back.
    fn is_ready(&self) -> bool;

    /// Returns `true` if the sender has left and there is nothing left to receive. `true` stays true; `false`
    /// may already be stale.
    fn is_closed(&self) -> bool;

    /// Returns `false` if a receive would not block: a message is here, or the sender has left. `false` stays
    /// false until the receive; `true` may already be stale.
    fn would_block(&self) -> bool {
        !self.is_ready() && !self.is_closed()
    }

    /// Adds the ends for which it waits to the list.
    #[doc(hidden)]
    fn ends(&self, list: &mut EndList) {
        list.add_other("a future");
    }

    /// Waits, in a task, until a receive would not block.
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the future borrows the receiver, and the next receive gets the message that it has found.
    #[track_caller]
    fn ready(&mut self) -> ReadyFuture<'_, Self>
    where
        Self: Sized,
    {
        ReadyFuture::new(self)
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

    fn would_block(&self) -> bool {
        (**self).would_block()
    }

    fn ends(&self, list: &mut EndList) {
        (**self).ends(list);
    }
}

/// Returns `true` if a receive would not block. Such a receive gives way if the budget is spent.
pub(crate) fn would_complete<R: Readiness + ?Sized>(receiver: &mut R) -> bool {
    !receiver.would_block()
}

/// A receiver: an endpoint whose turn it is to receive, or a port (through `&mut`).
///
/// A receive consumes the endpoint, because the message contains the endpoint for the next step; if there is
/// no message, the error contains the endpoint. A port is only borrowed: `Receive` is implemented for
/// `&mut Port<T>`. Endpoints and ports have these methods themselves; the trait is for generic code.
///
/// # Blocking, async, or both
///
/// Every receiver has blocking and async methods, which may be mixed. The blocking ones put the calling
/// thread to sleep; in a task use the async ones, which work with any executor.
///
/// A task that receives in a loop does not keep other tasks from running: after 128 messages, its next async
/// receive wakes the task and returns `Pending`, although a message is here. This holds for all receivers,
/// even when they are used as streams, and for `select_async!`; a close counts as a message. Where tasks
/// share a thread, a receive may also give way sooner. So a future that is polled only once may find nothing
/// although a message is here, as with `now_or_never` or a timeout of zero. To receive all that is here, use
/// [`try_recv`](Receive::try_recv), which never gives way; `poll_ready` and `ready` never give way either.
pub trait Receive: Readiness + Sized {
    /// What a receive returns.
    type Message;

    /// Receives a message if there is one. Never blocks, and never gives way to other tasks.
    ///
    /// # Errors
    ///
    /// [`TryRecvError::Empty`] with the receiver if nothing was sent yet; [`TryRecvError::Closed`] if the
    /// sender has left.
    fn try_recv(self) -> Result<Self::Message, TryRecvError<Self>>;

    /// Receives a message, waiting until there is one.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](Receive::recv_async) instead.
    ///
    /// # Errors
    ///
    /// The sender has left.
    #[inline]
    #[track_caller]
    fn recv(self) -> Result<Self::Message, RecvError> {
        const { may_block() };
        self.__recv()
    }

    /// The receive of a selection in a page, where [`recv`](Receive::recv) does not compile.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn __recv(self) -> Result<Self::Message, RecvError> {
        match self.try_recv() {
            Ok(message) => Ok(message),
            Err(TryRecvError::Closed) => Err(RecvError),
            Err(TryRecvError::Empty(receiver)) => wait_and_receive(receiver),
        }
    }

    /// Receives a message, waiting for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`recv_or`](Receive::recv_or) with a timer instead.
    ///
    /// A timeout too long for the clock waits forever; a timeout of zero is a
    /// [`try_recv`](Receive::try_recv).
    ///
    /// # Errors
    ///
    /// [`RecvTimeoutError::Timeout`] with the receiver if nothing came in time; [`RecvTimeoutError::Closed`]
    /// if the sender has left.
    #[track_caller]
    fn recv_timeout(self, timeout: Duration) -> Result<Self::Message, RecvTimeoutError<Self>> {
        receive_until(self, || Instant::now().checked_add(timeout))
    }

    /// Receives a message, waiting until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`recv_or`](Receive::recv_or) with a timer instead.
    ///
    /// # Errors
    ///
    /// [`RecvTimeoutError::Timeout`] with the receiver if nothing came in time; [`RecvTimeoutError::Closed`]
    /// if the sender has left.
    #[track_caller]
    fn recv_deadline(self, deadline: Instant) -> Result<Self::Message, RecvTimeoutError<Self>> {
        receive_until(self, || Some(deadline))
    }

    /// Receives a message, in a task, as `endpoint.await` does.
    ///
    /// From time to time the future gives way to other tasks, although a message is here; see
    /// [`Receive`](Receive#blocking-async-or-both). `try_recv` never does.
    ///
    /// # Cancel safety
    ///
    /// Not cancel-safe: the future owns the endpoint, so dropping the future closes the endpoint. Where a
    /// future may be dropped before it completes, in a `select!` or under a timeout, wait with
    /// [`ready`](Readiness::ready), which borrows, and then receive; or get the endpoint back with
    /// [`RecvFuture::into_inner`].
    #[track_caller]
    fn recv_async(self) -> RecvFuture<Self> {
        RecvFuture::new(self)
    }

    /// Receives a message, in a task, unless another future is ready first: a timer, or a signal to stop.
    /// Then the error contains the receiver and the other future's output. A message that is here is received
    /// even if the other future is ready as well.
    ///
    /// ```
    /// use pipes::RecvOrError;
    /// use std::time::Duration;
    /// use tokio::time::sleep;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    /// # runtime.block_on(async {
    /// let (chan, port) = pipes::oneshot();
    /// let late = port.recv_or(sleep(Duration::from_millis(1))).await;
    /// let Err(RecvOrError::Other(port, ())) = late else { panic!("nothing was sent") };
    /// chan.send("late")?;
    /// let received = port.recv_or(sleep(Duration::from_secs(9))).await;
    /// assert_eq!(received.ok(), Some("late"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Not cancel-safe: the future owns the endpoint, so dropping the future closes the endpoint.
    ///
    /// # Errors
    ///
    /// [`RecvOrError::Other`] if the other future was ready and no message was here;
    /// [`RecvOrError::Closed`] if the sender has left.
    fn recv_or<F: Future>(
        self,
        other: F,
    ) -> impl Future<Output = Result<Self::Message, RecvOrError<Self, F::Output>>> {
        recv_or(self, other, |receiver| receiver)
    }
}

/// Receives after a look that has found nothing. This function takes the receiver by value, so that a
/// receiver that need not wait stays in registers.
#[cold]
#[track_caller]
fn wait_and_receive<E: Receive>(mut receiver: E) -> Result<E::Message, RecvError> {
    loop {
        receiver.wait(None);
        match receiver.try_recv() {
            Ok(message) => return Ok(message),
            Err(TryRecvError::Closed) => return Err(RecvError),
            Err(TryRecvError::Empty(back)) => receiver = back,
        }
    }
}

/// Implements [`Receive::recv_or`]; `back` turns the receiver into what the error contains.
pub(crate) async fn recv_or<R: Receive, F: Future, E>(
    receiver: R,
    other: F,
    back: impl FnOnce(R) -> E,
) -> Result<R::Message, RecvOrError<E, F::Output>> {
    let (mut receive, mut other, mut back) = (receiver.recv_async(), pin!(Some(other)), Some(back));
    poll_fn(|cx| {
        let mut has_given_way = false;
        let gives_way = |place: &mut Option<R>| {
            has_given_way = place.as_mut().is_some_and(would_complete);
            has_given_way
        };
        if let Poll::Ready(received) = budget::receive(&mut receive.0, cx, gives_way, poll_place) {
            // If the destructor of the other future panics, the message is dropped. A message that was
            // returned already would leak.
            other.set(None);
            return Poll::Ready(received.map_err(|RecvError| RecvOrError::Closed));
        }
        // A receive that gives way although a message is here has woken the task.
        if has_given_way {
            return Poll::Pending;
        }
        // A message has just come.
        if receive.0.as_mut().is_some_and(would_complete) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let running = other.as_mut().as_pin_mut().expect("the future is not polled again");
        let output = ready!(running.poll(cx));
        other.set(None);
        // A message that has come since then stays in the receiver: if it were returned, the output would be
        // lost.
        let Some(receiver) = receive.0.take() else { return Poll::Ready(Err(RecvOrError::Closed)) };
        let back = back.take().expect("the future is not polled again");
        Poll::Ready(Err(RecvOrError::Other(back(receiver), output)))
    })
    .await
}

#[track_caller]
fn receive_until<E: Receive>(
    mut receiver: E,
    deadline: impl FnOnce() -> Option<Instant>,
) -> Result<E::Message, RecvTimeoutError<E>> {
    const { may_block() };
    let (mut first, mut until, mut in_time) = (Some(deadline), None, true);
    loop {
        match receiver.try_recv() {
            Ok(message) => return Ok(message),
            Err(TryRecvError::Closed) => return Err(RecvTimeoutError::Closed),
            Err(TryRecvError::Empty(back)) => receiver = back,
        }
        if !in_time {
            return Err(RecvTimeoutError::Timeout(receiver));
        }
        if let Some(deadline) = first.take() {
            until = deadline();
        }
        in_time = receiver.wait(until);
    }
}

/// A receive in a task; see [`Receive::recv_async`].
///
/// Dropping it drops the receiver, which closes an endpoint; a port was only borrowed.
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvFuture<E>(Option<E>, PendingWait);

impl<E> RecvFuture<E> {
    #[track_caller]
    pub(crate) fn new(endpoint: E) -> Self {
        RecvFuture(Some(endpoint), PendingWait::new())
    }

    /// Returns the receiver, unless the future has completed: to receive in another way, or to keep it open.
    pub fn into_inner(self) -> Option<E> {
        self.0
    }
}

// The receiver is moved out when the future is done; it is never pinned.
impl<E> Unpin for RecvFuture<E> {}

impl<E: Receive> Future for RecvFuture<E> {
    /// Polled again after completion, it returns what a closed receiver returns.
    type Output = Result<E::Message, RecvError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let would_complete = |place: &mut Option<E>| place.as_mut().is_some_and(would_complete);
        let list = |place: &Option<E>, ends: &mut EndList| place.iter().for_each(|it| it.ends(ends));
        let RecvFuture(place, wait) = &mut *self;
        wait.poll(cx, place, list, |place, cx| budget::receive(place, cx, would_complete, poll_place))
    }
}

/// Receives with the receiver in this place. It is put back if there is nothing yet.
#[inline]
fn poll_place<E: Receive>(
    place: &mut Option<E>,
    cx: &mut Context<'_>,
) -> Poll<Result<E::Message, RecvError>> {
    while let Some(receiver) = place.take() {
        match receiver.try_recv() {
            Ok(message) => return Poll::Ready(Ok(message)),
            Err(TryRecvError::Closed) => break,
            Err(TryRecvError::Empty(receiver)) => ready!(place.insert(receiver).poll_ready(cx)),
        }
    }
    Poll::Ready(Err(RecvError))
}

impl<E> fmt::Debug for RecvFuture<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvFuture").field("done", &self.0.is_none()).finish()
    }
}

/// Waits until a receive would not block; see [`Readiness::ready`]. Cancel-safe.
#[must_use = "futures do nothing unless they are awaited"]
pub struct ReadyFuture<'a, E>(&'a mut E, PendingWait);

impl<'a, E> ReadyFuture<'a, E> {
    #[track_caller]
    pub(crate) fn new(endpoint: &'a mut E) -> Self {
        ReadyFuture(endpoint, PendingWait::new())
    }
}

impl<E: Readiness> Future for ReadyFuture<'_, E> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let ReadyFuture(receiver, wait) = &mut *self;
        wait.poll(cx, *receiver, E::ends, E::poll_ready)
    }
}

impl<E> fmt::Debug for ReadyFuture<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadyFuture")
    }
}
