//! How the polls and the wakes of a future are noted. Only with the feature `inspect`.

use super::ends::{Caller, EndList};
use super::running::{Runner, SeenPending};
use crate::sync::{StaticLock, WakeArc, WakeWeak, lock_soon};
use std::ops::DerefMut;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// The polls of a future that may wait.
#[derive(Debug)]
pub(super) struct NotedPolls {
    caller: Caller,
    /// It is there from the first poll that was not ready to the last one.
    record: Option<WakeArc<Record>>,
    /// The waker of the last poll. Only its channel owns it: a future that is forgotten does not keep it.
    waker: WakeWeak<NotingWaker>,
}

/// A waker that notes that it was called, and calls the task's.
#[derive(Debug)]
struct NotingWaker {
    waker: Waker,
    record: WakeArc<Record>,
}

/// A future that waits, as others see it. It owns nothing of the user's, whose destructor another thread
/// would delay.
#[derive(Debug)]
struct Record {
    caller: Caller,
    since: Instant,
    polled: StaticLock<Polled>,
}

/// The last poll, and what came after it.
#[derive(Debug)]
struct Polled {
    by: Runner,
    /// What it waited for; `None` during the poll.
    ends: Option<EndList>,
    woken: Option<Instant>,
}

/// All futures that may wait. Those that have ended are removed when the list grows.
static RECORDS: StaticLock<Vec<WakeWeak<Record>>> = StaticLock::new(Vec::new());

impl NotedPolls {
    pub(super) fn new(caller: Caller) -> Self {
        NotedPolls { caller, record: None, waker: WakeWeak::new() }
    }

    pub(super) fn poll<S: ?Sized, R>(
        &mut self,
        cx: &Context<'_>,
        state: &mut S,
        list: impl FnOnce(&S, &mut EndList),
        poll: impl FnOnce(&mut S, &mut Context<'_>) -> Poll<R>,
    ) -> Poll<R> {
        let by = Runner::of_poll(cx.waker());
        let record = self.record.get_or_insert_with(|| Record::new(self.caller, by.clone()));
        record.is_polled(by);
        // The same one as before, if it is still registered: so the channel need not register it again.
        let known = self.waker.upgrade().filter(|known| known.waker.will_wake(cx.waker()));
        let noting = known.unwrap_or_else(|| {
            WakeArc::new(NotingWaker { waker: cx.waker().clone(), record: record.clone() })
        });
        self.waker = WakeArc::downgrade(&noting);
        let polled = poll(state, &mut Context::from_waker(&Waker::from(noting)));
        if polled.is_pending() {
            let mut ends = EndList::default();
            list(state, &mut ends);
            record.waits_for(Some(ends));
        } else {
            self.record = None;
        }
        polled
    }
}

impl Drop for NotedPolls {
    fn drop(&mut self) {
        // The channel may keep the waker for a while.
        if let Some(record) = &self.record {
            record.waits_for(None);
        }
    }
}

impl Wake for NotingWaker {
    fn wake(self: WakeArc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &WakeArc<Self>) {
        if let Some(mut polled) = self.record.lock() {
            polled.woken.get_or_insert_with(Instant::now);
        }
        self.waker.wake_by_ref();
    }
}

impl Record {
    fn new(caller: Caller, by: Runner) -> WakeArc<Self> {
        let polled = StaticLock::new(Polled { by, ends: None, woken: None });
        let record = WakeArc::new(Record { caller, since: Instant::now(), polled });
        if let Some(mut records) = lock_soon(&RECORDS) {
            if records.len() == records.capacity() {
                records.retain(|it| it.strong_count() > 0);
                let living = records.len();
                records.reserve(living.max(16));
            }
            records.push(WakeArc::downgrade(&record));
        }
        record
    }

    fn is_polled(&self, by: Runner) {
        if let Some(mut polled) = self.lock() {
            *polled = Polled { by, ends: None, woken: None };
        }
    }

    fn waits_for(&self, ends: Option<EndList>) {
        if let Some(mut polled) = self.lock() {
            polled.ends = ends;
        }
    }

    fn look(&self) -> Option<SeenPending> {
        let polled = self.lock()?;
        Some(SeenPending {
            by: polled.by.clone(),
            caller: self.caller,
            since: self.since,
            ends: polled.ends.clone()?,
            woken: polled.woken,
        })
    }

    fn lock(&self) -> Option<impl DerefMut<Target = Polled>> {
        lock_soon(&self.polled)
    }
}

pub(super) fn look_at_all() -> Vec<SeenPending> {
    let Some(records) = lock_soon(&RECORDS) else { return Vec::new() };
    let living: Vec<_> = records.iter().filter_map(WakeWeak::upgrade).collect();
    drop(records);
    living.iter().filter_map(|it| it.look()).collect()
}
