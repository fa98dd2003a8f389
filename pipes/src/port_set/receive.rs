//! Receiving from a set: the methods of each receiver, with the key beside the message.

use super::PortSet;
use crate::endpoint::{
    Closed, Member, Readiness, ReadyFuture, Receive, RecvTimeoutError, SetEmpty, TryRecvError, would_complete,
};
use crate::sync::may_block;
use crate::wait::{Caller, EndList, PendingWait, budget};
use futures_core::{FusedStream, Stream};
use std::fmt;
use std::future::Future;
use std::hash::Hash;
use std::iter::FusedIterator;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// The key of the member and its message; or [`Closed`], if the member's sender has left and the member was
/// removed.
type Turn<E, K> = (K, Result<<E as Member>::Message, Closed>);

impl<E: Member, K: Clone + Eq + Hash> PortSet<E, K> {
    /// Receives from the first member that is ready, waiting until there is one.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](PortSet::recv_async) instead.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (mut chan, port) = pipes::stream();
    /// let key = set.insert(port);
    /// chan.send(1)?;
    /// drop(chan);
    /// assert_eq!(set.recv(), Ok((key, Ok(1))));
    /// assert_eq!(set.recv(), Ok((key, Err(pipes::Closed))));
    /// assert_eq!(set.recv(), Err(pipes::SetEmpty));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The set has no members, so there is nothing to wait for.
    #[inline]
    #[track_caller]
    pub fn recv(&mut self) -> Result<(K, Result<E::Message, Closed>), SetEmpty> {
        const { may_block() };
        self.recv_at(Location::caller())
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __recv(&mut self) -> Result<(K, Result<E::Message, Closed>), SetEmpty> {
        self.recv_at(Location::caller())
    }

    #[inline(always)]
    fn recv_at(&mut self, caller: Caller) -> Result<(K, Result<E::Message, Closed>), SetEmpty> {
        loop {
            if let Some(turn) = self.members.turn() {
                return Ok(turn);
            }
            if self.is_empty() {
                return Err(SetEmpty);
            }
            self.members.wait(None, caller);
        }
    }

    /// Receives from the first member, if one is ready. Never blocks.
    ///
    /// ```
    /// use pipes::TryRecvError;
    ///
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    /// chan.send(1)?;
    /// assert_eq!(set.try_recv()?.1, Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Empty` if no member is ready; `Closed` if the set has no members.
    #[inline]
    pub fn try_recv(&mut self) -> Result<(K, Result<E::Message, Closed>), TryRecvError> {
        match self.members.turn() {
            Some(turn) => Ok(turn),
            None if self.is_empty() => Err(TryRecvError::Closed),
            None => Err(TryRecvError::Empty(())),
        }
    }

    /// Receives from the first member that is ready, waiting for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](PortSet::recv_async) under a timeout instead.
    ///
    /// ```
    /// use pipes::RecvTimeoutError;
    /// use std::time::Duration;
    ///
    /// let mut set = pipes::PortSet::new();
    /// let _chan: pipes::Chan<u32> = set.chan();
    /// let late = set.recv_timeout(Duration::from_millis(1));
    /// assert_eq!(late, Err(RecvTimeoutError::Timeout(())));
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if no member was ready in time; `Closed` if the set has no members.
    #[track_caller]
    pub fn recv_timeout(
        &mut self,
        timeout: Duration,
    ) -> Result<(K, Result<E::Message, Closed>), RecvTimeoutError> {
        Receive::recv_timeout(self, timeout).map_err(|error| error.map(drop))
    }

    /// Receives from the first member that is ready, waiting until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`recv_async`](PortSet::recv_async) under a timeout instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// chan.send(1)?;
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// assert_eq!(set.recv_deadline(deadline)?.1, Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if no member was ready in time; `Closed` if the set has no members.
    #[track_caller]
    pub fn recv_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<(K, Result<E::Message, Closed>), RecvTimeoutError> {
        Receive::recv_deadline(self, deadline).map_err(|error| error.map(drop))
    }

    /// Receives from the first member that is ready, in a task.
    ///
    /// From time to time the future gives way to other tasks, although a member is ready; see
    /// [`Receive`](Receive#blocking-async-or-both). `try_recv` never does.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// std::thread::spawn(move || chan.send(1));
    /// let (_key, number) = set.recv_async().await?;
    /// assert_eq!(number, Ok(1));
    /// # Ok::<(), pipes::SetEmpty>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the future borrows the set, and a message that it has not returned stays in the set.
    ///
    /// # Errors
    ///
    /// The future returns [`SetEmpty`] if the set has no members.
    #[track_caller]
    pub fn recv_async(&mut self) -> SetRecvFuture<'_, E, K> {
        SetRecvFuture(self, PendingWait::new())
    }

    /// Waits, in a task, until a receive would not block.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// std::thread::spawn(move || chan.send(1));
    /// set.ready().await;
    /// assert!(set.is_ready());
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the next receive gets the message that the future has found.
    #[track_caller]
    pub fn ready(&mut self) -> ReadyFuture<'_, Self> {
        Readiness::ready(self)
    }

    /// Polls until a receive would not block: until a member is ready, or there are none. The task is woken
    /// when that happens; only the most recent poll's waker is kept.
    ///
    /// ```
    /// use std::task::{Context, Waker};
    ///
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert!(set.poll_ready(&mut cx).is_pending());
    /// chan.send(1)?;
    /// assert!(set.poll_ready(&mut cx).is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        Readiness::poll_ready(self, cx)
    }

    /// Returns `true` if a member is ready, or has closed and was not reported. `true` stays true until the
    /// next receive; `false` may already be stale. O(members) if one has become ready since the last receive.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// assert!(!set.is_ready());
    /// chan.send(1)?;
    /// assert!(set.is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_ready(&self) -> bool {
        self.members.is_ready()
    }

    /// Returns an iterator over the messages without the keys, until there are no members left. Closes are
    /// skipped.
    ///
    /// Blocks the thread; in a task, use the set as a stream instead.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// for number in 1..=3 {
    ///     let mut chan = set.chan();
    ///     std::thread::spawn(move || chan.send(number));
    /// }
    /// assert_eq!(set.messages().sum::<i32>(), 6);
    /// ```
    #[track_caller]
    pub fn messages(&mut self) -> Messages<'_, E, K> {
        Messages(self, Location::caller())
    }

    fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Result<Turn<E, K>, SetEmpty>> {
        loop {
            if let Some(turn) = self.members.turn() {
                return Poll::Ready(Ok(turn));
            }
            if self.is_empty() {
                return Poll::Ready(Err(SetEmpty));
            }
            if self.members.poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

impl<E: Member, K: Clone + Eq + Hash> Readiness for PortSet<E, K> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.members.is_turn() && !self.is_empty() {
            if self.members.poll(cx).is_pending() {
                return Poll::Pending;
            }
        }
        Poll::Ready(())
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        while !self.members.is_turn() && !self.is_empty() {
            if !self.members.wait(deadline, Location::caller()) {
                return false;
            }
        }
        true
    }

    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    /// Returns `true` if there are no members.
    fn is_closed(&self) -> bool {
        self.is_empty()
    }

    fn ends(&self, list: &mut EndList) {
        self.members.ends(list);
    }
}

/// An empty set behaves like a port whose sender has left.
impl<E: Member, K: Clone + Eq + Hash> Receive for &mut PortSet<E, K> {
    type Message = (K, Result<E::Message, Closed>);

    fn try_recv(self) -> Result<Self::Message, TryRecvError<Self>> {
        PortSet::try_recv(self).map_err(|error| match error {
            TryRecvError::Empty(()) => TryRecvError::Empty(self),
            TryRecvError::Closed => TryRecvError::Closed,
        })
    }
}

/// Yields each turn; ends when there are no members left. Gives way to other tasks as
/// [`recv_async`](PortSet::recv_async) does.
impl<E: Member, K: Clone + Eq + Hash> Stream for PortSet<E, K> {
    type Item = (K, Result<E::Message, Closed>);

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        budget::receive(&mut *self, cx, would_complete, |set, cx| set.poll_recv(cx).map(Result::ok))
    }
}

/// It has ended while there are no members; a member that is inserted later continues it.
impl<E: Member, K: Clone + Eq + Hash> FusedStream for PortSet<E, K> {
    fn is_terminated(&self) -> bool {
        self.is_empty()
    }
}

/// A receive from a set, in a task; see [`PortSet::recv_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SetRecvFuture<'a, E, K>(&'a mut PortSet<E, K>, PendingWait);

impl<E: Member, K: Clone + Eq + Hash> Future for SetRecvFuture<'_, E, K> {
    type Output = Result<(K, Result<E::Message, Closed>), SetEmpty>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SetRecvFuture(set, wait) = &mut *self;
        let poll = |set: &mut PortSet<E, K>, cx: &mut Context<'_>| {
            budget::receive(set, cx, would_complete, PortSet::poll_recv)
        };
        wait.poll(cx, *set, |set, list| set.members.ends(list), poll)
    }
}

impl<E, K> fmt::Debug for SetRecvFuture<'_, E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SetRecvFuture")
    }
}

/// The messages of a set until it has no members left; see [`PortSet::messages`].
#[derive(Debug)]
pub struct Messages<'a, E, K>(&'a mut PortSet<E, K>, Caller);

impl<E: Member, K: Clone + Eq + Hash> Iterator for Messages<'_, E, K> {
    type Item = E::Message;

    fn next(&mut self) -> Option<E::Message> {
        loop {
            match self.0.recv_at(self.1) {
                Ok((_, Ok(message))) => return Some(message),
                Ok((_, Err(Closed))) => {}
                Err(SetEmpty) => return None,
            }
        }
    }
}

impl<E: Member, K: Clone + Eq + Hash> FusedIterator for Messages<'_, E, K> {}
