//! The threads of one run: how they end together, and what the caller gets.
//!
//! The first stage that fails reports it ([`Crew::fail`]), and this stops the others. A stage checks before
//! each item whether it has to stop, and a stop ends each wait for another stage ([`Crew::until`]); only the
//! user's code may take any time. So the caller waits for a crew that was stopped, but not for ever: a stage
//! that has not returned from the user's code after a moment is left behind, ends when that code returns, and
//! is named in the failure.

use super::station::Station;
use crate::failure::{Cause, Failure, Panic};
use crate::measure::metrics::Metrics;
use crate::measure::probe::{Probe, QueueDepth};
use crate::sync::{Arc, AtomicBool, Lock, Ordering, ThreadId, current, deadline_in, discard, step_aside};
use pipes::block_until;
use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// The longest time to wait for a crew that was stopped.
const GRACE: Duration = Duration::from_secs(1);

/// The run has been stopped, or the items are no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Halted;

/// A wait ended without what was waited for.
///
/// It is as wide as a word, so that a result with an item or this is copied in words. With a byte beside the
/// item, the compiler copies the item in smaller parts, and a processor that then reads it as a whole waits
/// for them: a pipeline of trivial stages takes 1.2 times as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Ended {
    /// The run has been stopped.
    Halted,
    /// The deadline has passed, or another limit of the wait was reached.
    Late,
}

/// The threads of one run.
#[derive(Clone)]
pub(crate) struct Crew(Arc<Shared>);

struct Shared {
    /// Set once, under the lock of the roster; loaded without it.
    stopped: AtomicBool,
    roster: Lock<Roster>,
    metrics: Option<Metrics>,
    stack_size: Option<usize>,
}

#[derive(Default)]
struct Roster {
    at_work: Vec<Member>,
    /// The number of members so far, which is the next member's number.
    numbered: usize,
    failure: Option<Failure>,
    /// The stage whose failure was reported.
    reported: Option<String>,
    /// The wakers of stages that wait for another one, and of the caller that waits for the end.
    asleep: Vec<Waker>,
}

/// One thread at work.
struct Member {
    number: usize,
    name: String,
    /// `None` if the thread has not begun.
    thread: Option<ThreadId>,
}

/// A registration as asleep, so that a stop wakes the waiter.
pub(crate) struct Asleep<'a>(&'a Crew, Waker);

/// A membership in the crew. Dropping it means that the member has ended.
pub(crate) struct Badge {
    pub(super) crew: Crew,
    number: usize,
    begun: bool,
}

impl Crew {
    pub(crate) fn new() -> Self {
        Crew::with(None, None)
    }

    /// Creates a crew whose stages are measured, if there are metrics, and whose threads have stacks of this
    /// size.
    pub(crate) fn with(metrics: Option<Metrics>, stack_size: Option<usize>) -> Self {
        if let Some(metrics) = &metrics {
            metrics.begin_run();
        }
        let (stopped, roster) = (AtomicBool::new(false), Lock::new(Roster::default()));
        Crew(Arc::new(Shared { stopped, roster, metrics, stack_size }))
    }

    /// Returns the size of the threads' stacks; `None` for the usual one.
    pub(super) fn stack_size(&self) -> Option<usize> {
        self.0.stack_size
    }

    pub(crate) fn metrics(&self) -> Option<&Metrics> {
        self.0.metrics.as_ref()
    }

    /// Creates the probe of one more replica of a stage.
    pub(crate) fn probe(&self, station: &Station) -> Probe {
        self.metrics().map_or_else(Probe::off, |metrics| {
            let (place, name) = station.place();
            metrics.probe(place, &name, station.note())
        })
    }

    /// Returns the counter of the items in front of a stage, if they are counted.
    pub(crate) fn queue(&self, station: &Station) -> Option<QueueDepth> {
        self.metrics().map(|metrics| {
            let (place, name) = station.place();
            metrics.queue(place, &name)
        })
    }

    /// Returns `true` if the run has been stopped.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        // ORDERING: Relaxed: it is a hint that carries no data, and waiting threads are woken after it was
        // set.
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Returns an error if the run has been stopped, for a step of a stage.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Halted> {
        if self.is_stopped() { Err(Halted) } else { Ok(()) }
    }

    /// Returns `true` if a member is still at work.
    pub(crate) fn is_at_work(&self) -> bool {
        !self.0.roster.lock().at_work.is_empty()
    }

    /// Stops the run because a stage has failed. The first failure is the one that is reported.
    pub(crate) fn fail(&self, stage: &str, cause: Cause) {
        let mut roster = self.0.roster.lock();
        let is_over = roster.numbered > 0 && roster.at_work.is_empty();
        if is_over {
            drop(roster);
            return discard(cause);
        }
        let late = if roster.failure.is_none() && !self.is_stopped() {
            roster.failure = Some(Failure::new(stage.to_owned(), cause));
            None
        } else {
            Some(cause)
        };
        drop(roster);
        self.stop();
        discard(late);
    }

    /// Stops the run.
    pub(crate) fn stop(&self) {
        let roster = self.0.roster.lock();
        // ORDERING: Relaxed: a thread that goes to sleep registers under the lock that is held here, before
        // or after, and then loads this.
        self.0.stopped.store(true, Ordering::Relaxed);
        let asleep = roster.asleep.clone();
        drop(roster);
        asleep.into_iter().for_each(Waker::wake);
    }

    /// Joins the run without a thread: the run is not over before this badge is dropped.
    pub(crate) fn seat(&self) -> Badge {
        let mut badge = self.enlist("sink".to_owned());
        badge.begun = true;
        badge
    }

    /// Runs the user's code; a panic is a failure.
    pub(crate) fn guarded<R>(&self, name: &str, run: impl FnOnce() -> R) -> Option<R> {
        // What a panic leaves half-changed is not used again, only dropped.
        catch_unwind(AssertUnwindSafe(run))
            .map_err(|payload| self.fail(name, Cause::Panic(Panic::new(payload))))
            .ok()
    }

    pub(super) fn enlist(&self, name: String) -> Badge {
        let mut roster = self.0.roster.lock();
        let number = roster.numbered;
        roster.numbered += 1;
        roster.at_work.push(Member { number, name, thread: None });
        Badge { crew: self.clone(), number, begun: false }
    }

    /// Waits until all members have ended, or until the rest is given up after a stop.
    ///
    /// # Errors
    ///
    /// The first failure. A stage of this crew that calls this would wait for itself: that is a failure of
    /// the run, which is also returned.
    pub(crate) fn join(&self) -> Result<(), Failure> {
        let waited = self.join_from_outside();
        if let Err(failure) = &waited
            && matches!(failure.cause(), Cause::WaitsForItself)
        {
            // The source may never end, so the run is ended here. The owner's `join` reports this failure.
            self.fail(failure.stage(), Cause::WaitsForItself);
        }
        waited
    }

    /// Waits as [`join`](Crew::join) does, for a run whose items have an end: a stage of this crew is
    /// refused, and the run goes on.
    pub(crate) fn join_from_outside(&self) -> Result<(), Failure> {
        let own_stage = self.0.roster.lock().name_of(current().id());
        if let Some(name) = own_stage {
            return Err(Failure::new(name, Cause::WaitsForItself));
        }
        let (patience, mut asleep) = (Cell::new(None), None);
        block_until(
            || patience.get(),
            |cx| {
                asleep.get_or_insert_with(|| self.asleep(cx.waker()));
                if !self.is_at_work() {
                    return Poll::Ready(());
                }
                if self.is_stopped() && patience.get().is_none() {
                    // Stages that were waited for once are not waited for again.
                    let was_reported = self.0.roster.lock().reported.is_some();
                    patience.set(deadline_in(if was_reported { Duration::ZERO } else { GRACE }));
                }
                Poll::Pending
            },
        );
        let mut roster = self.0.roster.lock();
        let stuck = roster.at_work.iter().map(|member| member.name.clone()).collect();
        roster.report(stuck)
    }

    /// Registers a wait that is about to begin. A stop calls its waker, unless the wait sees the stop before
    /// it sleeps.
    pub(crate) fn asleep(&self, waker: &Waker) -> Asleep<'_> {
        self.0.roster.lock().asleep.push(waker.clone());
        Asleep(self, waker.clone())
    }

    /// Waits until `poll` is ready, unless the run is stopped or the deadline passes. `deadline` is called
    /// again each time that the thread is woken. `is_there` says cheaply that `poll` would be ready.
    pub(crate) fn until<R>(
        &self,
        deadline: impl Fn() -> Option<Instant>,
        is_there: impl Fn() -> bool,
        poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, Ended> {
        step_aside(&|| is_there() || self.is_stopped());
        self.sleep(deadline, poll)
    }

    /// Waits as [`until`](Crew::until) does, but sleeps at once.
    pub(crate) fn sleep<R>(
        &self,
        deadline: impl Fn() -> Option<Instant>,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, Ended> {
        let mut asleep = None;
        let ended = block_until(deadline, |cx| {
            asleep.get_or_insert_with(|| self.asleep(cx.waker()));
            if self.is_stopped() { Poll::Ready(Err(Ended::Halted)) } else { poll(cx).map(Ok) }
        });
        ended.unwrap_or(Err(Ended::Late))
    }
}

impl Badge {
    /// Sets the calling thread as the member's thread.
    pub(super) fn begin(&mut self) {
        self.begun = true;
        let mut roster = self.crew.0.roster.lock();
        if let Some(member) = roster.at_work.iter_mut().find(|member| member.number == self.number) {
            member.thread = Some(current().id());
        }
    }
}

impl Roster {
    /// Returns the name of the stage that runs in this thread.
    fn name_of(&self, thread: ThreadId) -> Option<String> {
        self.at_work.iter().find(|member| member.thread == Some(thread)).map(|member| member.name.clone())
    }

    /// Returns the failure, or that it was reported before.
    fn report(&mut self, stuck: Vec<String>) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            self.reported = Some(failure.stage().to_owned());
            return Err(failure.leaving(stuck));
        }
        self.reported.clone().map_or(Ok(()), |stage| Err(Failure::new(stage, Cause::Reported)))
    }
}

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        let mut roster = self.0.0.roster.lock();
        let index = roster.asleep.iter().position(|asleep| asleep.will_wake(&self.1));
        let _waker = index.map(|index| roster.asleep.swap_remove(index));
    }
}

impl Drop for Badge {
    fn drop(&mut self) {
        let number = self.number;
        let mut roster = self.crew.0.roster.lock();
        if !self.begun {
            // The failure is reported while the member is still at work; otherwise the run would seem to be
            // over.
            let member = roster.at_work.iter_mut().find(|member| member.number == number);
            let name = member.map(|member| take(&mut member.name)).unwrap_or_default();
            drop(roster);
            self.crew.fail(&name, Cause::NoThread);
            roster = self.crew.0.roster.lock();
        }
        let member = roster.at_work.iter().position(|member| member.number == number);
        let _member = member.map(|index| roster.at_work.swap_remove(index));
        // When no stage is at work, only the caller of `join` is asleep.
        let asleep = if roster.at_work.is_empty() { roster.asleep.clone() } else { Vec::new() };
        drop(roster);
        asleep.into_iter().for_each(Waker::wake);
    }
}

impl fmt::Display for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no more items are taken: the pipeline is about to end")
    }
}

impl Error for Halted {}

impl From<Ended> for Halted {
    fn from(_: Ended) -> Self {
        Halted
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("stopped", &self.is_stopped()).finish_non_exhaustive()
    }
}

#[cfg(all(test, not(pipes_shuttle)))]
mod tests {
    use super::{Cause, Crew};

    /// The system could not start a thread for the only stage.
    #[test]
    fn who_has_not_begun_has_failed() {
        let crew = Crew::new();
        drop(crew.enlist("source".to_owned()));
        let failure = crew.join().expect_err("no stage has worked");
        assert_eq!(failure.to_string(), "the system has no thread for source");
        assert!(matches!(failure.cause(), Cause::NoThread));
    }
}
