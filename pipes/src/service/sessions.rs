//! The sessions of a service with other programs: how many there are, and the wish that they end.

use crate::sync::{Arc, AtomicBool, Lock, Ordering};
use crate::wait::{DeferredWakes, WakerList};
use std::fmt;
use std::task::{Context, Poll, Waker};

/// The sessions of a service that are under way.
pub(crate) struct Sessions(Arc<Shared>);

/// One session of a service. It is under way until this is dropped.
pub struct Session {
    sessions: Arc<Shared>,
    /// Its entry in the list of those that wait for the wish to end.
    ticket: Option<u64>,
}

/// # Access
///
/// `asked`: any thread. Everything else is behind the lock.
struct Shared {
    /// As `closing`, for sessions that look often. It is set before they are woken.
    asked: AtomicBool,
    under_way: Lock<UnderWay>,
}

/// # Access
///
/// The lock. Wakers are woken and dropped after it is open.
struct UnderWay {
    count: usize,
    /// They are asked to end.
    closing: bool,
    /// The sessions that wait to be asked.
    sessions: WakerList,
    /// The service, which waits until none is under way.
    service: Option<Waker>,
}

impl Sessions {
    pub(crate) fn new() -> Self {
        let under_way = UnderWay { count: 0, closing: false, sessions: WakerList::new(), service: None };
        Sessions(Arc::new(Shared { asked: AtomicBool::new(false), under_way: Lock::new(under_way) }))
    }

    /// Enters one more session.
    pub(crate) fn enter(&self) -> Session {
        self.0.under_way.lock().count += 1;
        Session { sessions: self.0.clone(), ticket: None }
    }

    /// Ready when no session is under way.
    pub(super) fn poll_ended(&self, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        let mut under_way = self.0.under_way.lock();
        if under_way.count == 0 {
            return Poll::Ready(());
        }
        let before = under_way.service.replace(waker);
        drop(under_way);
        drop(before);
        Poll::Pending
    }

    /// Asks all sessions to end. Returns how many are under way.
    pub(super) fn close(&self) -> usize {
        let mut under_way = self.0.under_way.lock();
        under_way.closing = true;
        // ORDERING: Relaxed; see `is_closing`.
        self.0.asked.store(true, Ordering::Relaxed);
        let (count, waiting) = (under_way.count, DeferredWakes::of(under_way.sessions.take()));
        drop(under_way);
        drop(waiting);
        count
    }
}

impl Clone for Sessions {
    fn clone(&self) -> Self {
        Sessions(self.0.clone())
    }
}

impl Session {
    /// Does the service ask its sessions to end? Costs one load, so a session can look whenever it is woken.
    pub fn is_closing(&self) -> bool {
        // ORDERING: Relaxed, because no other memory depends on it. A session that was woken for this sees
        // it: its waker was called after the store.
        self.sessions.asked.load(Ordering::Relaxed)
    }

    /// Ready when the service asks its sessions to end; otherwise the task is woken when it does. Only the
    /// most recent poll's waker is kept.
    pub fn poll_closing(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        let mut under_way = self.sessions.under_way.lock();
        if under_way.closing {
            return Poll::Ready(());
        }
        let before = under_way.sessions.enter(&mut self.ticket, waker, ());
        drop(under_way);
        drop(before);
        Poll::Pending
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut under_way = self.sessions.under_way.lock();
        under_way.count -= 1;
        let own = self.ticket.and_then(|ticket| under_way.sessions.remove(ticket));
        let ended = if under_way.count == 0 { under_way.service.take() } else { None };
        drop(under_way);
        drop(own);
        if let Some(service) = ended {
            service.wake();
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("closing", &self.is_closing()).finish_non_exhaustive()
    }
}
