//! The sessions with workers, and the items that wait for one.
//!
//! A session is a credit: it has one item at a time, and the one that has been idle for longest gets the
//! next. An item whose session was lost comes before those that were not sent yet.

use super::error::FarmError;
use super::protocol::work::{Idle, Server};
use super::report::{Report, Tally};
use pipes::Closing;
use pipes::remote::Link;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// A session whose worker waits for an item.
pub(super) struct Session<T: Send + 'static, U: Send + 'static> {
    pub(super) server: Server<Idle<T, U>>,
    pub(super) link: Link,
    pub(super) tally: Arc<Tally>,
}

/// The sessions of a farm.
pub(super) struct Pool<T: Send + 'static, U: Send + 'static> {
    inner: Mutex<Inner<T, U>>,
    /// The pool is closed.
    pub(super) closed: Notify,
}

struct Inner<T: Send + 'static, U: Send + 'static> {
    idle: VecDeque<Session<T, U>>,
    waiting: VecDeque<oneshot::Sender<Session<T, U>>>,
    /// The sessions that are idle or have an item.
    alive: usize,
    /// Since when there are none, and items wait.
    lonely: Option<Instant>,
    is_closed: bool,
    limits: Limits,
    report: Report,
}

/// How long, and how often, items are to be worked on.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The time without a worker after which items are given up.
    pub(super) patience: Duration,
    /// How often an item is sent.
    pub(super) tries: u32,
}

impl<T: Send + 'static, U: Send + 'static> Pool<T, U> {
    pub(super) fn new() -> Self {
        let inner = Inner {
            idle: VecDeque::new(),
            waiting: VecDeque::new(),
            alive: 0,
            lonely: None,
            is_closed: false,
            limits: Limits { patience: Duration::from_secs(30), tries: 3 },
            report: Report::default(),
        };
        Pool { inner: Mutex::new(inner), closed: Notify::new() }
    }

    /// Nothing of a user runs while it has the lock.
    fn inner(&self) -> MutexGuard<'_, Inner<T, U>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the limits.
    pub(super) fn limit(&self, change: impl FnOnce(&mut Limits)) {
        change(&mut self.inner().limits);
    }

    pub(super) fn tries(&self) -> u32 {
        self.inner().limits.tries
    }

    /// A new session.
    pub(super) fn join(&self, server: Server<Idle<T, U>>, link: Link) {
        let mut inner = self.inner();
        inner.alive += 1;
        let tally = inner.report.tally(link.peer());
        drop(inner);
        self.give(Session { server, link, tally });
    }

    /// Waits for an idle session.
    pub(super) async fn take(&self, was_lost: bool) -> Result<Session<T, U>, FarmError> {
        let waiting = {
            let mut inner = self.inner();
            loop {
                match inner.idle.pop_front() {
                    Some(session) if session.server.is_closed() => inner.alive -= 1,
                    Some(session) => return Ok(session),
                    None => break,
                }
            }
            let (sender, waiting) = oneshot::channel();
            if was_lost {
                inner.waiting.push_front(sender)
            } else {
                inner.waiting.push_back(sender)
            }
            waiting
        };
        waiting.await.map_err(|_| FarmError::NoWorker { patience: self.inner().limits.patience })
    }

    /// A session is idle: the first item that waits gets it.
    pub(super) fn give(&self, session: Session<T, U>) {
        let (mut session, mut inner) = (session, self.inner());
        while let Some(waiting) = inner.waiting.pop_front() {
            match waiting.send(session) {
                Ok(()) => return,
                // That item is not wanted any more.
                Err(unwanted) => session = unwanted,
            }
        }
        if !inner.is_closed {
            return inner.idle.push_back(session);
        }
        inner.alive -= 1;
        drop(inner);
        dismiss(session);
    }

    /// A session was lost.
    pub(super) fn lose(&self) {
        self.inner().alive -= 1;
    }

    /// Forgets sessions that were lost while they were idle. If items wait for longer than the patience, and
    /// there is no worker, they are given up.
    pub(super) fn look(&self) {
        let mut inner = self.inner();
        let before = inner.idle.len();
        let lost: VecDeque<_>;
        (lost, inner.idle) = inner.idle.drain(..).partition(|session| session.server.is_closed());
        inner.alive -= before - inner.idle.len();
        if inner.alive > 0 || inner.waiting.is_empty() {
            inner.lonely = None;
        } else if inner.lonely.get_or_insert_with(Instant::now).elapsed() >= inner.limits.patience {
            let waiting = std::mem::take(&mut inner.waiting);
            drop(inner);
            drop(waiting);
        }
        drop(lost);
    }

    /// Tells all workers that there is nothing more to do, those with an item when they are done.
    pub(super) fn close(&self) {
        let mut inner = self.inner();
        inner.is_closed = true;
        inner.alive -= inner.idle.len();
        let idle = std::mem::take(&mut inner.idle);
        drop(inner);
        idle.into_iter().for_each(dismiss);
        self.closed.notify_one();
    }

    pub(super) fn report(&self) -> Report {
        let mut report = self.inner().report.clone();
        report.settle();
        report
    }
}

fn dismiss<T: Send + 'static, U: Send + 'static>(session: Session<T, U>) {
    // If the worker has gone, it need not know.
    let _ = session.server.enough();
}
