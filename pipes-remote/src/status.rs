//! The state that a pump shares with the links of its session.
//!
//! # Access
//!
//! | field | used by |
//! |---|---|
//! | `questions` | links increment it; the pump reads it |
//! | `inner` | under the lock: links, and the pump when something changes |
//!
//! # Layers
//!
//! Uses nothing of the crate; used by `pump`, `dial` and `site`.

use pipes::remote::{Cause, Linked, NotDelivered, Peer};
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// What is known about a session.
#[derive(Debug)]
pub(crate) struct Status {
    peer: Peer,
    /// How many times a link has asked whether everything has arrived.
    questions: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    cause: Cause,
    /// The last question that was answered with yes.
    answered: u64,
    /// Set when the pump has ended, to `true` if all that was sent was confirmed.
    over: Option<bool>,
    /// The questions that wait for an answer, with the wakers of their tasks.
    waiting: Vec<(u64, Waker)>,
    pump: Option<Waker>,
}

impl Status {
    pub(crate) fn new(peer: Peer) -> Self {
        let inner = Inner { cause: Cause::Open, answered: 0, over: None, waiting: Vec::new(), pump: None };
        Status { peer, questions: AtomicU64::new(0), inner: Mutex::new(inner) }
    }

    /// Locks the state. Nothing below panics while it holds the lock.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the pump's waker, which questions wake.
    pub(crate) fn register(&self, waker: &Waker) {
        let waker = waker.clone();
        let before = self.inner().pump.replace(waker);
        drop(before);
    }

    /// Returns the number of the last question.
    pub(crate) fn last_question(&self) -> u64 {
        // ORDERING: Acquire pairs with the Release in `ask_delivered`: the pump sees what its user sent
        // before it asked.
        self.questions.load(Ordering::Acquire)
    }

    /// Sets the cause.
    pub(crate) fn set_cause(&self, cause: Cause) {
        let before = mem::replace(&mut self.inner().cause, cause);
        drop(before);
    }

    /// Sets the cause, if it is not set yet.
    pub(crate) fn set_first_cause(&self, cause: impl FnOnce() -> Cause) {
        let mut inner = self.inner();
        if matches!(inner.cause, Cause::Open) {
            inner.cause = cause();
        }
    }

    /// Answers all questions up to this one with yes: everything has arrived.
    pub(crate) fn answer(&self, question: u64) {
        let mut inner = self.inner();
        inner.answered = question;
        let waiting = mem::take(&mut inner.waiting);
        drop(inner);
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// Notes that the pump has ended. `delivered` is `true` if all that was sent was confirmed.
    pub(crate) fn end(&self, delivered: bool) {
        let mut inner = self.inner();
        inner.over.get_or_insert(delivered);
        let (waiting, pump) = (mem::take(&mut inner.waiting), inner.pump.take());
        drop(inner);
        drop(pump);
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }
}

/// What a `Link` sees of the status.
#[derive(Debug)]
pub(crate) struct StatusLink(pub(crate) std::sync::Arc<Status>);

impl Linked for StatusLink {
    fn cause(&self) -> Cause {
        self.0.inner().cause.clone()
    }

    fn peer(&self) -> &Peer {
        &self.0.peer
    }

    fn ask_delivered(&self) -> u64 {
        // ORDERING: Release pairs with the Acquire in `last_question`.
        let question = self.0.questions.fetch_add(1, Ordering::AcqRel) + 1;
        let pump = self.0.inner().pump.clone();
        if let Some(pump) = pump {
            pump.wake();
        }
        question
    }

    fn poll_delivered(&self, question: u64, cx: &mut Context<'_>) -> Poll<Result<(), NotDelivered>> {
        let waker = cx.waker().clone();
        let mut inner = self.0.inner();
        match inner.over {
            _ if inner.answered >= question => Poll::Ready(Ok(())),
            Some(true) => Poll::Ready(Ok(())),
            Some(false) => Poll::Ready(Err(NotDelivered::new(inner.cause.clone()))),
            None => {
                match inner.waiting.iter().position(|(asked, _)| *asked == question) {
                    Some(at) => {
                        let before = mem::replace(&mut inner.waiting[at].1, waker);
                        drop(inner);
                        drop(before);
                    }
                    None => inner.waiting.push((question, waker)),
                }
                Poll::Pending
            }
        }
    }

    fn forget(&self, question: u64) {
        let mut inner = self.0.inner();
        let at = inner.waiting.iter().position(|(asked, _)| *asked == question);
        let waker = at.map(|at| inner.waiting.swap_remove(at));
        drop(inner);
        drop(waker);
    }
}
