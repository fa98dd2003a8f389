//! Waiting without receiving: in `select!`, and as a member of a set.

use super::SharedPort;
use super::bell::Bell;
use super::line::WaitsAs;
use crate::endpoint::{
    Closed, Later, Member, Readiness, Ready, Receive, RecvError, RecvOrError, RecvTimeoutError, Sealed,
    TryRecvError, recv_or, turn_of_port,
};
use crate::slot::Token;
use crate::sync::{WakeArc, wait_until};
use std::future::Future;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

impl<T> SharedPort<T> {
    /// Receives, in a task, unless another future is ready first, such as a timer. A message that is here is
    /// received even if the other future is ready as well.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (_chan, port) = pipes::stream::<u32>();
    /// let stopped = port.into_shared().recv_or(std::future::ready("stop")).await;
    /// assert_eq!(stopped, Err(pipes::RecvOrError::Other((), "stop")));
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe, if the other future is: a message that was taken is kept for the next receive.
    ///
    /// # Errors
    ///
    /// `Other` if the other future was ready and no message was here; `Closed` as for
    /// [`recv`](SharedPort::recv).
    pub fn recv_or<F: Future>(
        &mut self,
        other: F,
    ) -> impl Future<Output = Result<T, RecvOrError<(), F::Output>>> {
        recv_or(self, other, |_| ())
    }

    /// Waits, in a task, until a receive would not block. It takes a message for this receiver, if there is
    /// one: see [above](SharedPort#waiting-without-receiving).
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, port) = pipes::stream();
    /// let mut port = port.into_shared();
    /// std::thread::spawn(move || chan.send(1));
    /// port.ready().await;
    /// assert_eq!(port.try_recv(), Ok(1));
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a message that was taken is kept for the next receive.
    pub fn ready(&mut self) -> Ready<'_, Self> {
        Readiness::ready(self)
    }

    /// Ready when a receive would not block; otherwise the task is woken when that may be so. Only the most
    /// recent poll's waker is kept. It takes a message for this receiver, if there is one: see
    /// [above](SharedPort#waiting-without-receiving).
    ///
    /// ```
    /// use std::task::{Context, Waker};
    ///
    /// let (mut chan, port) = pipes::stream();
    /// let mut first = port.into_shared();
    /// let mut second = first.clone();
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert!(first.poll_ready(&mut cx).is_pending());
    /// chan.send(1)?;
    /// assert!(first.poll_ready(&mut cx).is_ready());
    /// assert!(second.try_recv().is_err(), "the first one has taken it");
    /// assert_eq!(first.try_recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        Readiness::poll_ready(self, cx)
    }

    /// Returns true if a message is here. Both answers may already be stale, because another receiver may
    /// take it. Takes the receivers' lock for a moment.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// assert!(!port.is_ready());
    /// chan.send(1)?;
    /// assert!(port.is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&self) -> bool {
        Readiness::is_ready(self)
    }

    /// Returns true if the sender was dropped and there is nothing left to receive. `true` stays true;
    /// `false` may already be stale. Takes the receivers' lock for a moment.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let mut port = port.into_shared();
    /// chan.send(1)?;
    /// drop(chan);
    /// assert!(!port.is_closed(), "there is a value left");
    /// port.recv()?;
    /// assert!(port.is_closed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_closed(&self) -> bool {
        Readiness::is_closed(self)
    }

    /// The number of values that can be sent and not yet received, as of a [`Port`](crate::Port::capacity);
    /// `None` if there is no limit. Takes the receivers' lock for a moment.
    ///
    /// ```
    /// let (_chan, port) = pipes::shared_sync_stream::<u32>(8);
    /// assert_eq!(port.into_shared().capacity(), Some(8));
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        self.group.tray.lock().capacity()
    }
}

impl<T> Readiness for SharedPort<T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        drop(self.displaced.take());
        if self.keep(Some(cx.waker())) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        if self.keep(None) {
            return true;
        }
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return false;
        }
        // As when a thread waits to receive, a task that waits as a stream is woken afterwards.
        self.displace();
        let _displaced = Later::of(self.displaced.take());
        let found = wait_until(|| deadline, |cx| self.poll_ready(cx));
        self.leave(WaitsAs::Stream);
        found.is_some()
    }

    fn is_ready(&self) -> bool {
        !self.kept.lock().is_empty() || !self.group.tray.is_empty() || self.group.tray.lock().is_ready()
    }

    fn is_closed(&self) -> bool {
        let stock = self.group.tray.lock();
        // While this receiver keeps a message, the stock is not closed.
        self.group.tray.is_empty() && stock.is_closed()
    }

    fn is_certain(&mut self) -> bool {
        self.keep(None)
    }

    fn losses(&mut self) -> Option<usize> {
        let mut stock = self.group.tray.lock();
        Some(stock.losses().wrapping_sub(self.group.tray.len()))
    }
}

impl<T> Receive for &mut SharedPort<T> {
    type Message = T;

    fn try_recv(self) -> Result<T, TryRecvError<Self>> {
        SharedPort::try_recv(self).map_err(|error| error.map(|()| self))
    }

    fn recv(self) -> Result<T, RecvError> {
        SharedPort::recv(self)
    }

    fn recv_timeout(self, timeout: Duration) -> Result<T, RecvTimeoutError<Self>> {
        SharedPort::recv_timeout(self, timeout).map_err(|error| error.map(|()| self))
    }

    fn recv_deadline(self, deadline: Instant) -> Result<T, RecvTimeoutError<Self>> {
        SharedPort::recv_deadline(self, deadline).map_err(|error| error.map(|()| self))
    }
}

impl<T> Sealed for SharedPort<T> {}

impl<T> Member for SharedPort<T> {
    type Message = T;

    fn turn(place: &mut Option<Self>) -> Option<Result<T, Closed>> {
        turn_of_port(place, SharedPort::try_recv)
    }

    /// `Err` if a message is here, which another receiver may take. Then the turn finds nothing, and the
    /// token is registered again.
    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        let bell = self.bell.get_or_insert_with(|| WakeArc::new(Bell::new())).clone();
        if !self.kept.get_mut().is_empty() {
            return Err(token);
        }
        let mut stock = self.group.tray.lock();
        if !self.group.tray.is_empty() || stock.is_ready() || stock.is_closed() {
            return Err(token);
        }
        bell.put(token);
        let left = self.group.line.stand(&mut self.standing, bell.into(), WaitsAs::Stream);
        let next = self.group.look_after_the_rest(&mut stock);
        drop(stock);
        drop((next, left));
        Ok(())
    }

    fn unregister_token(&mut self) -> Option<Token> {
        // It comes first, so that no panic of a waker keeps it here.
        let token = self.bell.as_ref().and_then(|bell| bell.take());
        self.leave(WaitsAs::Receive);
        self.leave(WaitsAs::Stream);
        token
    }
}
