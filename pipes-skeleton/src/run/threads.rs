//! The threads of one run: how they end together, and what the caller gets.
//!
//! The first stage that fails calls [`Threads::fail`], which stops the others. A stage checks before each
//! item whether it has to stop, and a stop ends each wait for another stage ([`Threads::wait`]). Only user
//! code may take any time. The caller therefore waits for stopped threads for a limited time: a stage that
//! has not returned from user code by then is left behind, and named in the failure. It ends when that code
//! returns.

use super::setting::Setting;
use super::stage_info::StageInfo;
pub(crate) use super::stopped::{Stopped, WaitError};
use crate::failure::{Failure, FailureKind, Panic};
use crate::measure::metrics::Metrics;
use crate::measure::probe::{Probe, QueueDepth, Run};
use crate::sync::{
    Arc, AtomicBool, Lock, Ordering, ThreadId, current, deadline_in, discard, nanoseconds, yield_until,
};
use pipes::inspect::block_until_for;
use std::cell::Cell;
use std::fmt;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// The longest time to wait for threads that were stopped.
const GRACE: Duration = Duration::from_secs(1);
/// The longest time to wait for them if all of those left may block in a `read`.
const READERS_GRACE: Duration = Duration::from_millis(10);

/// The threads of one run. Clones are handles to the same threads.
#[derive(Clone)]
pub(crate) struct Threads(Arc<Shared>);

struct Shared {
    /// Set once, while the registry is locked. Read without the lock.
    stopped: AtomicBool,
    /// No more items are taken from the sources. Set like `stopped`.
    draining: AtomicBool,
    registry: Lock<Registry>,
    setting: Setting,
    /// The run, if it is measured.
    run: Option<Arc<Run>>,
}

#[derive(Default)]
struct Registry {
    running: Vec<Entry>,
    /// The number of threads registered so far, which is the id of the next one.
    next_id: usize,
    failure: Option<Failure>,
    /// The stage whose failure was reported.
    reported: Option<String>,
    /// The wakers of the stages that wait for another one, and of the callers that wait for the end.
    wakers: Vec<Waker>,
}

/// A running thread.
struct Entry {
    id: usize,
    name: String,
    /// The thread may block in a `read` that a stop does not end.
    may_block: bool,
    /// `None` until the thread has started.
    thread: Option<ThreadId>,
}

/// A registered waker, which a stop or a drain wakes. It is unregistered on drop.
pub(crate) struct WakerGuard<'a>(&'a Threads, Waker);

/// The registration of a running thread. Dropping it means that the thread has ended.
pub(crate) struct ThreadGuard {
    pub(super) threads: Threads,
    id: usize,
    has_started: bool,
}

impl Threads {
    /// Begins a run.
    pub(crate) fn new(setting: Setting) -> Self {
        let run = setting.metrics.as_ref().map(Metrics::begin_run);
        Threads(Arc::new(Shared {
            stopped: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            registry: Lock::new(Registry::default()),
            setting,
            run,
        }))
    }

    pub(crate) fn metrics(&self) -> Option<&Metrics> {
        self.0.setting.metrics.as_ref()
    }

    /// Returns the settings of the run.
    pub(crate) fn setting(&self) -> &Setting {
        &self.0.setting
    }

    /// Returns the current time, or 0 if the run is not measured.
    pub(crate) fn now(&self) -> u64 {
        if self.0.run.is_some() { nanoseconds() } else { 0 }
    }

    /// Returns `true` if the stamp of each item is needed where its region ends.
    pub(crate) fn keeps_stamps(&self) -> bool {
        self.0.setting.is_weighed || self.0.setting.metrics.is_some()
    }

    /// Creates the probe of another replica of a stage.
    pub(crate) fn probe(&self, info: &StageInfo) -> Probe {
        self.metrics().zip(self.0.run.clone()).map_or_else(Probe::off, |(metrics, run)| {
            let (position, name) = info.position();
            metrics.probe(run, position, &name, info.note())
        })
    }

    /// Returns the counter of the items that wait for a stage, if the pipeline is measured.
    pub(crate) fn queue(&self, info: &StageInfo) -> Option<QueueDepth> {
        self.metrics().map(|metrics| {
            let (position, name) = info.position();
            metrics.queue(position, &name)
        })
    }

    /// Returns `true` if the run was stopped.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        // ORDERING: Relaxed: it is a hint that carries no data, and waiting threads are woken after it is
        // set.
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Returns an error if the run was stopped.
    #[inline]
    pub(crate) fn check_stopped(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Returns `true` if no more items are to be taken from the sources.
    #[inline]
    pub(crate) fn is_draining(&self) -> bool {
        // ORDERING: Relaxed: as in `is_stopped`.
        self.0.draining.load(Ordering::Relaxed)
    }

    /// Returns `true` if a thread of the run has not ended.
    pub(crate) fn is_running(&self) -> bool {
        !self.0.registry.lock().running.is_empty()
    }

    /// Stops the run because a stage has failed. Only the first failure is reported.
    pub(crate) fn fail(&self, stage: &str, kind: FailureKind) {
        let mut registry = self.0.registry.lock();
        let is_over = registry.next_id > 0 && registry.running.is_empty();
        if is_over {
            drop(registry);
            return discard(kind);
        }
        let late = if registry.failure.is_none() && !self.is_stopped() {
            registry.failure = Some(Failure::new(stage.to_owned(), kind));
            None
        } else {
            Some(kind)
        };
        drop(registry);
        self.stop();
        discard(late);
    }

    /// Stops the run.
    pub(crate) fn stop(&self) {
        self.set(&self.0.stopped);
    }

    /// Ends the sources. The other stages continue until all items are done.
    pub(crate) fn drain(&self) {
        self.set(&self.0.draining);
    }

    /// Sets a flag, and wakes the threads that wait.
    fn set(&self, flag: &AtomicBool) {
        let registry = self.0.registry.lock();
        // ORDERING: Relaxed: a thread registers before it sleeps, under the lock that is held here, and loads
        // this afterwards. So either its waker is woken below, or it sees the store.
        flag.store(true, Ordering::Relaxed);
        let wakers = registry.wakers.clone();
        drop(registry);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Registers the caller, which runs the sink. The run is not over before the guard is dropped.
    pub(crate) fn register_caller(&self) -> ThreadGuard {
        let mut guard = self.register("sink".to_owned(), false);
        guard.has_started = true;
        guard
    }

    /// Runs user code. Reports a panic as a failure of the stage, and returns `None`.
    pub(crate) fn catch_panic<R>(&self, name: &str, run: impl FnOnce() -> R) -> Option<R> {
        // What a panic leaves inconsistent is only dropped.
        catch_unwind(AssertUnwindSafe(run))
            .map_err(|payload| self.fail(name, FailureKind::Panic(Panic::new(payload))))
            .ok()
    }

    /// Registers a thread that is about to start.
    pub(super) fn register(&self, name: String, may_block: bool) -> ThreadGuard {
        let mut registry = self.0.registry.lock();
        let id = registry.next_id;
        registry.next_id += 1;
        registry.running.push(Entry { id, name, may_block, thread: None });
        ThreadGuard { threads: self.clone(), id, has_started: false }
    }

    /// Waits until all threads have ended. After a stop, waits for a limited time.
    ///
    /// # Errors
    ///
    /// Returns the first failure. A stage of this run that calls this would wait for itself; this is a
    /// failure of the run, which is also returned.
    pub(crate) fn join(&self) -> Result<(), Failure> {
        let waited = self.join_from_outside();
        if let Err(failure) = &waited
            && matches!(failure.kind(), FailureKind::WaitsForItself)
        {
            // The source may never end, so the run is stopped here. The owner's `join` reports this failure.
            self.fail(failure.stage(), FailureKind::WaitsForItself);
        }
        waited
    }

    /// Waits like [`join`](Threads::join), for a run whose source has ended. If a stage of this run calls
    /// this, it gets an error, and the run continues.
    pub(crate) fn join_from_outside(&self) -> Result<(), Failure> {
        if let Some(name) = self.0.registry.lock().name_of(current().id()) {
            return Err(Failure::new(name, FailureKind::WaitsForItself));
        }
        let (deadline, mut registered) = (Cell::new(None), None);
        block_until_for(
            "the stages of a pipeline to end",
            || deadline.get(),
            |cx| {
                registered.get_or_insert_with(|| self.register_waker(cx.waker()));
                if !self.is_running() {
                    return Poll::Ready(());
                }
                if self.is_stopped() {
                    let grace = deadline_in(self.0.registry.lock().grace());
                    deadline.set(deadline.get().map_or(grace, |before| grace.map(|new| new.min(before))));
                }
                Poll::Pending
            },
        );
        let mut registry = self.0.registry.lock();
        let stuck = registry.running.iter().map(|entry| entry.name.clone()).collect();
        registry.report(stuck)
    }

    /// Registers a waker, which a stop or a drain wakes. The caller must check for these after this and
    /// before it sleeps.
    pub(crate) fn register_waker(&self, waker: &Waker) -> WakerGuard<'_> {
        self.0.registry.lock().wakers.push(waker.clone());
        WakerGuard(self, waker.clone())
    }

    /// Waits until `poll` is ready, and says for what. `deadline` is called again each time the thread is
    /// woken. `is_ready` is a cheap test of whether `poll` would be ready.
    ///
    /// # Errors
    ///
    /// Returns an error if the run is stopped, or if the deadline passes.
    pub(crate) fn wait<R>(
        &self,
        what: &'static str,
        deadline: impl Fn() -> Option<Instant>,
        is_ready: impl Fn() -> bool,
        poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, WaitError> {
        yield_until(&|| is_ready() || self.is_stopped());
        self.sleep(what, deadline, poll)
    }

    /// Waits like [`wait`](Threads::wait), but sleeps without yielding first.
    pub(crate) fn sleep<R>(
        &self,
        what: &'static str,
        deadline: impl Fn() -> Option<Instant>,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, WaitError> {
        let mut registered = None;
        let result = block_until_for(what, deadline, |cx| {
            registered.get_or_insert_with(|| self.register_waker(cx.waker()));
            if self.is_stopped() { Poll::Ready(Err(WaitError::Stopped)) } else { poll(cx).map(Ok) }
        });
        result.unwrap_or(Err(WaitError::LimitReached))
    }
}

impl ThreadGuard {
    /// Notes that the registered thread has started, and that it is the calling thread.
    pub(super) fn started(&mut self) {
        self.has_started = true;
        let mut registry = self.threads.0.registry.lock();
        if let Some(entry) = registry.running.iter_mut().find(|entry| entry.id == self.id) {
            entry.thread = Some(current().id());
        }
    }
}

impl Registry {
    /// Returns the name of the stage that runs in `thread`.
    fn name_of(&self, thread: ThreadId) -> Option<String> {
        self.running.iter().find(|entry| entry.thread == Some(thread)).map(|entry| entry.name.clone())
    }

    /// Returns `true` if all threads that have not ended may block in a `read`.
    fn has_only_readers(&self) -> bool {
        self.running.iter().all(|entry| entry.may_block)
    }

    /// Returns the longest time to wait for the threads of a run that was stopped.
    fn grace(&self) -> Duration {
        match self.has_only_readers() {
            // An earlier call has waited for these threads.
            _ if self.reported.is_some() => Duration::ZERO,
            true => READERS_GRACE,
            false => GRACE,
        }
    }

    /// Returns the failure. If it was reported before, returns [`FailureKind::Reported`].
    fn report(&mut self, stuck: Vec<String>) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            self.reported = Some(failure.stage().to_owned());
            return Err(failure.leaving(stuck));
        }
        self.reported.clone().map_or(Ok(()), |stage| Err(Failure::new(stage, FailureKind::Reported)))
    }
}

impl Drop for WakerGuard<'_> {
    fn drop(&mut self) {
        let mut registry = self.0.0.registry.lock();
        let index = registry.wakers.iter().position(|waker| waker.will_wake(&self.1));
        let _waker = index.map(|index| registry.wakers.swap_remove(index));
    }
}

impl Drop for ThreadGuard {
    fn drop(&mut self) {
        let id = self.id;
        let mut registry = self.threads.0.registry.lock();
        if !self.has_started {
            // The failure is reported before the thread is unregistered. Otherwise the run would seem over.
            let entry = registry.running.iter_mut().find(|entry| entry.id == id);
            let name = entry.map(|entry| take(&mut entry.name)).unwrap_or_default();
            drop(registry);
            self.threads.fail(&name, FailureKind::NoThread);
            registry = self.threads.0.registry.lock();
        }
        let entry = registry.running.iter().position(|entry| entry.id == id);
        let _entry = entry.map(|index| registry.running.swap_remove(index));
        // When no other thread is left, only callers of `join` are waiting, and readers, which wait again.
        let is_over = registry.running.is_empty();
        let wakers = if registry.has_only_readers() { registry.wakers.clone() } else { Vec::new() };
        drop(registry);
        self.threads.0.run.iter().filter(|_| is_over).for_each(|run| run.end());
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").field("stopped", &self.is_stopped()).finish_non_exhaustive()
    }
}

#[cfg(all(test, not(pipes_shuttle)))]
mod tests {
    use super::{FailureKind, Setting, Threads};

    /// The system could not start a thread for the only stage.
    #[test]
    fn a_thread_that_has_not_started_has_failed() {
        let threads = Threads::new(Setting::default());
        drop(threads.register("source".to_owned(), false));
        let failure = threads.join().expect_err("no stage has worked");
        assert_eq!(failure.to_string(), "the system has no thread for source");
        assert!(matches!(failure.kind(), FailureKind::NoThread));
    }
}
