//! The threads of one run: how they end, together, and what of that reaches the caller.
//!
//! The first stage that fails says so ([`Crew::fail`]); that stops the others. A stage looks whether it is to
//! stop before each item, and every wait for another stage is one that a stop ends ([`Crew::until`]); only
//! code of the user's can take its time. So a crew that was stopped is waited for, but not forever: a stage
//! that has not come back from such code after a moment is left behind, to end when it does, and is named in
//! the failure.

use super::station::Station;
use crate::skeleton::failure::{Cause, Failure, Panic};
use crate::skeleton::measure::metrics::Metrics;
use crate::skeleton::measure::probe::{Probe, QueueDepth};
use crate::sync::{
    Arc, AtomicBool, Lock, Ordering, ThreadId, discard, giving_up_after, spawn, step_aside, thread_id,
    wait_until,
};
use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// How long a crew that was stopped is waited for.
const GRACE: Duration = Duration::from_secs(1);

/// Everything is to stop, or the items are no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::skeleton) struct Halted;

/// A wait ended without what was waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::skeleton) enum Ended {
    /// Everything is to stop.
    Halted,
    /// The deadline has passed, or what else limits the wait has happened.
    Late,
}

/// The threads of one run.
#[derive(Clone)]
pub(in crate::skeleton) struct Crew(Arc<Shared>);

struct Shared {
    /// Set once, under the lock of the roster; looked at without it.
    stopped: AtomicBool,
    roster: Lock<Roster>,
    metrics: Option<Metrics>,
}

#[derive(Default)]
struct Roster {
    at_work: Vec<Member>,
    /// How many have ever been at work: the next one's number.
    numbered: usize,
    failure: Option<Failure>,
    /// The stage whose failure was reported.
    reported: Option<String>,
    /// Who waits for another stage, or for all to end.
    asleep: Vec<Waker>,
}

/// One thread at work.
struct Member {
    number: usize,
    name: String,
    /// None: it has not begun.
    thread: Option<ThreadId>,
}

/// Being registered as asleep, to be woken by a stop.
pub(in crate::skeleton) struct Asleep<'a>(&'a Crew, Waker);

/// Being at work; dropping it is leaving.
pub(in crate::skeleton) struct Badge {
    crew: Crew,
    number: usize,
    begun: bool,
}

impl Crew {
    pub(in crate::skeleton) fn new() -> Self {
        Crew::measured(None)
    }

    /// One whose stages note what they do, if that is to be measured.
    pub(in crate::skeleton) fn measured(metrics: Option<Metrics>) -> Self {
        if let Some(metrics) = &metrics {
            metrics.begin_run();
        }
        let (stopped, roster) = (AtomicBool::new(false), Lock::new(Roster::default()));
        Crew(Arc::new(Shared { stopped, roster, metrics }))
    }

    pub(in crate::skeleton) fn metrics(&self) -> Option<&Metrics> {
        self.0.metrics.as_ref()
    }

    /// The clock of one more replica of a stage.
    pub(in crate::skeleton) fn probe(&self, station: &Station) -> Probe {
        self.metrics().map_or_else(Probe::off, |metrics| {
            let (place, name) = station.place();
            metrics.probe(place, &name)
        })
    }

    /// The items in front of a stage, if they are counted.
    pub(in crate::skeleton) fn queue(&self, station: &Station) -> Option<QueueDepth> {
        self.metrics().map(|metrics| {
            let (place, name) = station.place();
            metrics.queue(place, &name)
        })
    }

    /// Is everything to stop?
    #[inline]
    pub(in crate::skeleton) fn is_stopped(&self) -> bool {
        // ORDERING: Relaxed. It is a hint to stop, and carries nothing; who waits is woken after it was set.
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// The same, as a step of a stage.
    #[inline]
    pub(in crate::skeleton) fn go_on(&self) -> Result<(), Halted> {
        if self.is_stopped() { Err(Halted) } else { Ok(()) }
    }

    /// Has anybody not ended yet?
    pub(in crate::skeleton) fn is_at_work(&self) -> bool {
        !self.0.roster.lock().at_work.is_empty()
    }

    /// Ends everything: a stage has failed. What counts is the first failure.
    pub(in crate::skeleton) fn fail(&self, stage: &str, cause: Cause) {
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

    /// Ends everything.
    pub(in crate::skeleton) fn stop(&self) {
        let roster = self.0.roster.lock();
        // ORDERING: Relaxed. Who goes to sleep registers under the lock that is held here, before or after,
        // and then looks at it.
        self.0.stopped.store(true, Ordering::Relaxed);
        let asleep = roster.asleep.clone();
        drop(roster);
        asleep.into_iter().for_each(Waker::wake);
    }

    /// Runs a stage in a thread of its own. What the stage owns is dropped after its failure was reported, so
    /// that the reason is known when an end closes; its output first, because a user's destructor may wait
    /// for the stages behind.
    pub(in crate::skeleton) fn spawn<W: Send + 'static>(
        &self,
        name: String,
        mut way_out: W,
        mut stage: impl FnMut(&Crew, &mut W) -> Result<(), Halted> + Send + 'static,
    ) {
        let mut badge = self.enlist(name.clone());
        let stage_name = name.clone();
        // Boxed, so that what the standard library does for a new thread is compiled once, not for each
        // stage.
        let run: Box<dyn FnOnce() + Send> = Box::new(move || {
            badge.begin();
            badge.crew.guarded(&name, || stage(&badge.crew, &mut way_out));
            badge.crew.guarded(&name, || drop(way_out));
            badge.crew.guarded(&name, || drop(stage));
        });
        // If the system has no thread, what the stage owns is dropped here.
        self.guarded(&stage_name, || spawn(&stage_name, run));
    }

    /// Takes part in the run without a thread: it is not over before this is dropped.
    pub(in crate::skeleton) fn seat(&self) -> Badge {
        let mut badge = self.enlist("sink".to_owned());
        badge.begun = true;
        badge
    }

    /// Runs code of the user's; a panic is a failure.
    pub(in crate::skeleton) fn guarded<R>(&self, name: &str, run: impl FnOnce() -> R) -> Option<R> {
        // What a panic leaves half-done is not used again, but dropped.
        catch_unwind(AssertUnwindSafe(run))
            .map_err(|payload| self.fail(name, Cause::Panic(Panic::new(payload))))
            .ok()
    }

    fn enlist(&self, name: String) -> Badge {
        let mut roster = self.0.roster.lock();
        let number = roster.numbered;
        roster.numbered += 1;
        roster.at_work.push(Member { number, name, thread: None });
        Badge { crew: self.clone(), number, begun: false }
    }

    /// Waits until all have ended, or until those that have not are given up after a stop.
    ///
    /// # Errors
    ///
    /// The first failure. If a stage of this crew does this, it would wait for itself: that is a failure of
    /// the run, and the answer.
    pub(in crate::skeleton) fn join(&self) -> Result<(), Failure> {
        let waited = self.join_from_outside();
        if let Err(failure) = &waited
            && matches!(failure.cause(), Cause::WaitsForItself)
        {
            // The items may never end. That the run ends before its work is done is what the owner's join
            // reports.
            self.fail(failure.stage(), Cause::WaitsForItself);
        }
        waited
    }

    /// The same for a run whose items have an end: a stage of this crew is refused, and the run goes on.
    pub(in crate::skeleton) fn join_from_outside(&self) -> Result<(), Failure> {
        let own_stage = self.0.roster.lock().name_of(thread_id());
        if let Some(name) = own_stage {
            return Err(Failure::new(name, Cause::WaitsForItself));
        }
        let (patience, mut asleep) = (Cell::new(None), None);
        wait_until(
            || patience.get(),
            |cx| {
                asleep.get_or_insert_with(|| self.asleep(cx.waker()));
                if !self.is_at_work() {
                    return Poll::Ready(());
                }
                if self.is_stopped() && patience.get().is_none() {
                    // Those that were waited for once are not waited for again.
                    let was_reported = self.0.roster.lock().reported.is_some();
                    patience.set(giving_up_after(if was_reported { Duration::ZERO } else { GRACE }));
                }
                Poll::Pending
            },
        );
        let mut roster = self.0.roster.lock();
        let stuck = roster.at_work.iter().map(|member| member.name.clone()).collect();
        roster.report(stuck)
    }

    /// Says that a wait is about to begin. If all is to stop its waker is called, or the wait sees it before.
    pub(in crate::skeleton) fn asleep(&self, waker: &Waker) -> Asleep<'_> {
        self.0.roster.lock().asleep.push(waker.clone());
        Asleep(self, waker.clone())
    }

    /// Waits until `poll` gives something, unless everything is to stop or the deadline passes, which
    /// is asked for again whenever the thread is woken. `is_there` says, at no cost, that it would.
    pub(in crate::skeleton) fn until<R>(
        &self,
        deadline: impl Fn() -> Option<Instant>,
        is_there: impl Fn() -> bool,
        poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, Ended> {
        step_aside(|| is_there() || self.is_stopped());
        self.sleep(deadline, poll)
    }

    /// The same, without a moment's hope that it is about to come.
    pub(in crate::skeleton) fn sleep<R>(
        &self,
        deadline: impl Fn() -> Option<Instant>,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> Result<R, Ended> {
        let mut asleep = None;
        let ended = wait_until(deadline, |cx| {
            asleep.get_or_insert_with(|| self.asleep(cx.waker()));
            if self.is_stopped() { Poll::Ready(Err(Ended::Halted)) } else { poll(cx).map(Ok) }
        });
        ended.unwrap_or(Err(Ended::Late))
    }
}

impl Badge {
    /// The calling thread is the one at work.
    fn begin(&mut self) {
        self.begun = true;
        let mut roster = self.crew.0.roster.lock();
        if let Some(member) = roster.at_work.iter_mut().find(|member| member.number == self.number) {
            member.thread = Some(thread_id());
        }
    }
}

impl Roster {
    /// The name of the stage that this thread works for.
    fn name_of(&self, thread: ThreadId) -> Option<String> {
        self.at_work.iter().find(|member| member.thread == Some(thread)).map(|member| member.name.clone())
    }

    /// The failure, or that it was reported before.
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
            // Said while it is still at work, so that the run does not look as if it were over.
            let member = roster.at_work.iter_mut().find(|member| member.number == number);
            let name = member.map(|member| take(&mut member.name)).unwrap_or_default();
            drop(roster);
            self.crew.fail(&name, Cause::NoThread);
            roster = self.crew.0.roster.lock();
        }
        let member = roster.at_work.iter().position(|member| member.number == number);
        let _member = member.map(|index| roster.at_work.swap_remove(index));
        // Of those asleep only one waits for that; the others are gone when no stage is at work.
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

#[cfg(all(test, not(pipes_loom)))]
mod tests {
    use super::{Cause, Crew};

    /// The system had no thread for the only stage.
    #[test]
    fn who_has_not_begun_has_failed() {
        let crew = Crew::new();
        drop(crew.enlist("source".to_owned()));
        let failure = crew.join().expect_err("no stage has worked");
        assert_eq!(failure.to_string(), "the system has no thread for source");
        assert!(matches!(failure.cause(), Cause::NoThread));
    }
}
