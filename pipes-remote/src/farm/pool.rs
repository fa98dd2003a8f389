//! The sessions with workers, and the items that wait for one.
//!
//! Each session works on one item at a time. The session that has been idle for longest gets the next item.
//! An item whose session was lost is sent before those that were not sent yet.

use super::error::FarmError;
use super::protocol::work::{Idle, Server};
use super::report::{FarmReport, Tally};
use crate::deadline::Limit;
use pipes::Closing;
use pipes::remote::Link;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A session whose worker waits for an item.
pub(super) struct Session<T: Send + 'static, U: Send + 'static> {
    pub(super) server: Server<Idle<T, U>>,
    pub(super) link: Link,
    /// Kept as long as the session lasts, with or without an item.
    pub(super) alive: Alive,
}

/// Counts a session until it is dropped.
pub(super) struct Alive {
    /// The counters of its worker.
    pub(super) tally: Arc<Tally>,
    /// A clone of the pool's `alive`.
    _one: Arc<()>,
}

/// The sessions of a farm.
pub(super) struct Pool<T: Send + 'static, U: Send + 'static> {
    inner: Mutex<Inner<T, U>>,
}

struct Inner<T: Send + 'static, U: Send + 'static> {
    idle: VecDeque<Session<T, U>>,
    waiting: VecDeque<Waiting<T, U>>,
    /// Each session has a clone, so the strong count is one more than the number of sessions.
    alive: Arc<()>,
    /// Set while items wait and there are no sessions. When it passes, the items are given up.
    no_worker: Option<Limit>,
    is_closed: bool,
    /// Set if the pool is closed and has no sessions, so there will be none.
    is_over: bool,
    limits: Limits,
    report: FarmReport,
}

/// An item that waits for a session, on the side of the pool.
struct Waiting<T: Send + 'static, U: Send + 'static> {
    sender: oneshot::Sender<Session<T, U>>,
    /// The worker with which the item was lost, and when it began to wait for another one.
    lost_with: Option<(Arc<Tally>, Instant)>,
}

/// An item that waits for a session, on its own side.
struct Place<'a, T: Send + 'static, U: Send + 'static> {
    pool: &'a Pool<T, U>,
    session: oneshot::Receiver<Session<T, U>>,
}

/// The limits for items.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// How long items wait when there is no worker.
    pub(super) patience: Duration,
    /// How often an item is sent at most.
    pub(super) tries: u32,
    /// The time limit for an item with one worker.
    pub(super) timeout: Option<Duration>,
}

impl<T: Send + 'static, U: Send + 'static> Pool<T, U> {
    pub(super) fn new() -> Self {
        let inner = Inner {
            idle: VecDeque::new(),
            waiting: VecDeque::new(),
            alive: Arc::new(()),
            no_worker: None,
            is_closed: false,
            is_over: false,
            limits: Limits { patience: Duration::from_secs(30), tries: 3, timeout: None },
            report: FarmReport::default(),
        };
        Pool { inner: Mutex::new(inner) }
    }

    /// Locks the pool. No code of a user runs while it holds the lock.
    fn inner(&self) -> MutexGuard<'_, Inner<T, U>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the limits.
    pub(super) fn limit(&self, change: impl FnOnce(&mut Limits)) {
        change(&mut self.inner().limits);
    }

    pub(super) fn limits(&self) -> Limits {
        self.inner().limits
    }

    /// Adds a new session.
    pub(super) fn join(&self, server: Server<Idle<T, U>>, link: Link) {
        let mut inner = self.inner();
        let alive = Alive { tally: inner.report.tally(link.peer()), _one: inner.alive.clone() };
        drop(inner);
        alive.tally.opened();
        self.give(Session { server, link, alive });
    }

    /// Waits for an idle session.
    ///
    /// An item that was lost with a worker gets a session of another worker, if there is one. Of those, it
    /// gets the one that was busy last. When a machine fails, its sessions are silent for some time before
    /// they are lost, and those that were idle wait at the front.
    pub(super) async fn take(&self, lost_with: Option<&Arc<Tally>>) -> Result<Session<T, U>, FarmError> {
        let mut place = {
            let mut inner = self.inner();
            while let Some(session) = inner.next(lost_with) {
                if !session.server.is_closed() {
                    return Ok(session);
                }
            }
            if inner.is_over {
                return Err(FarmError::Closed);
            }
            let (sender, session) = oneshot::channel();
            match lost_with.cloned() {
                None => inner.waiting.push_back(Waiting { sender, lost_with: None }),
                Some(worker) => {
                    let lost_with = Some((worker, Instant::now()));
                    inner.waiting.push_front(Waiting { sender, lost_with })
                }
            }
            Place { pool: self, session }
        };
        (&mut place.session).await.map_err(|_| self.given_up())
    }

    /// Returns the error of an item that was given up.
    fn given_up(&self) -> FarmError {
        let inner = self.inner();
        if inner.is_over {
            FarmError::Closed
        } else {
            FarmError::NoWorker { patience: inner.limits.patience }
        }
    }

    /// Gives an idle session to the first waiting item that was not lost with its worker.
    pub(super) fn give(&self, session: Session<T, U>) {
        let (mut session, mut inner) = (session, self.inner());
        while let Some(waiting) = inner.next_waiting(&session.alive.tally) {
            match waiting.sender.send(session) {
                Ok(()) => return,
                // The item was dropped.
                Err(unwanted) => session = unwanted,
            }
        }
        if !inner.is_closed {
            return inner.idle.push_back(session);
        }
        drop(inner);
        dismiss(session);
    }

    /// Removes sessions that were lost while they were idle. If there is no worker, and items have waited for
    /// longer than the patience, gives them up. If there will be no worker, gives them up at once, and
    /// returns `true`.
    ///
    /// Must be called regularly. `due` is the time at which this call was due.
    pub(super) fn look(&self, due: Instant) -> bool {
        let mut inner = self.inner();
        let lost: VecDeque<_>;
        (lost, inner.idle) = inner.idle.drain(..).partition(|session| session.server.is_closed());
        // The other items were dropped.
        inner.waiting.retain(|waiting| !waiting.sender.is_closed());
        let is_alone = Arc::strong_count(&inner.alive) == 1 + lost.len();
        inner.is_over = inner.is_closed && is_alone;
        let mut given_up = VecDeque::new();
        if !is_alone || inner.waiting.is_empty() {
            inner.no_worker = None;
        } else {
            let (now, patience) = (Instant::now(), inner.limits.patience);
            let no_worker = inner.no_worker.get_or_insert_with(|| Limit::new(now, patience));
            if no_worker.look(due, now).is_ok() || inner.is_over {
                given_up = std::mem::take(&mut inner.waiting);
            }
        }
        let is_over = inner.is_over;
        // These sessions are idle although items wait, because the items were lost with their workers. The
        // other workers may have gone meanwhile, so the sessions are offered again.
        let idle = if inner.waiting.is_empty() { VecDeque::new() } else { std::mem::take(&mut inner.idle) };
        drop(inner);
        drop((lost, given_up));
        idle.into_iter().for_each(|session| self.give(session));
        is_over
    }

    /// Ends the sessions of all workers, because there are no more items. The session of a worker that still
    /// has an item ends after that item.
    pub(super) fn close(&self) {
        let mut inner = self.inner();
        inner.is_closed = true;
        let idle = std::mem::take(&mut inner.idle);
        drop(inner);
        idle.into_iter().for_each(dismiss);
    }

    pub(super) fn report(&self) -> FarmReport {
        let mut report = self.inner().report.clone();
        report.settle();
        report
    }
}

impl<T: Send + 'static, U: Send + 'static> Inner<T, U> {
    /// Takes an idle session for the next item, or for one that was lost with this worker.
    fn next(&mut self, lost_with: Option<&Arc<Tally>>) -> Option<Session<T, U>> {
        let Some(worker) = lost_with else { return self.idle.pop_front() };
        let is_another = |session: &Session<T, U>| !Arc::ptr_eq(&session.alive.tally, worker);
        match self.idle.iter().rposition(is_another) {
            Some(index) => self.idle.remove(index),
            None if self.report.has_another(worker) => None,
            None => self.idle.pop_back(),
        }
    }

    /// Takes an item for an idle session of this worker.
    fn next_waiting(&mut self, worker: &Arc<Tally>) -> Option<Waiting<T, U>> {
        // Other workers may be busy for ever, so a lost item waits for them only as long as the patience.
        let patience = self.limits.patience;
        let was_lost_here = |item: &Waiting<T, U>| {
            let lost_with = item.lost_with.as_ref();
            lost_with.is_some_and(|(lost_with, since)| {
                Arc::ptr_eq(lost_with, worker) && since.elapsed() < patience
            })
        };
        // In the usual case, it is not necessary to look at the workers.
        if !self.waiting.front().is_some_and(was_lost_here) || !self.report.has_another(worker) {
            return self.waiting.pop_front();
        }
        let index = self.waiting.iter().position(|item| !was_lost_here(item))?;
        self.waiting.remove(index)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.tally.ended();
    }
}

impl<T: Send + 'static, U: Send + 'static> Drop for Place<'_, T, U> {
    /// If a session was given to this item, which is dropped now, gives it to the next one.
    fn drop(&mut self) {
        self.session.close();
        if let Ok(session) = self.session.try_recv() {
            self.pool.give(session);
        }
    }
}

fn dismiss<T: Send + 'static, U: Send + 'static>(session: Session<T, U>) {
    // If the worker has gone, it need not be told.
    let _ = session.server.enough();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// The patience counts only while an item waits. If no item waits, it begins again.
    #[test]
    fn items_that_are_not_wanted_do_not_wait() {
        let pool: Pool<u64, u64> = Pool::new();
        let mut cx = Context::from_waker(Waker::noop());
        {
            let item = pin!(pool.take(None));
            assert!(item.poll(&mut cx).is_pending());
            pool.look(Instant::now());
            assert!(pool.inner().no_worker.is_some());
        }
        pool.look(Instant::now());
        let inner = pool.inner();
        assert!(inner.no_worker.is_none() && inner.waiting.is_empty());
    }

    /// When the pool is closed and there are no sessions, items fail at once, also those that come later.
    #[test]
    fn a_closed_pool_without_sessions_is_over() {
        let pool: Pool<u64, u64> = Pool::new();
        let mut cx = Context::from_waker(Waker::noop());
        let mut item = pin!(pool.take(None));
        assert!(item.as_mut().poll(&mut cx).is_pending());
        assert!(!pool.look(Instant::now()));
        pool.close();
        assert!(pool.look(Instant::now()));
        assert!(matches!(item.poll(&mut cx), Poll::Ready(Err(FarmError::Closed))));
        let late = pin!(pool.take(None));
        assert!(matches!(late.poll(&mut cx), Poll::Ready(Err(FarmError::Closed))));
    }
}
