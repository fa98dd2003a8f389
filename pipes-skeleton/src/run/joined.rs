//! Stages without a thread of their own, which run in the thread of the stage before them.

use super::edge::{CustomSender, Sender};
use super::output::{JoinedStage, Output};
use super::permits::Releaser;
use super::stage_info::StageInfo;
use super::stamps::{Stamp, Stamps};
use super::threads::{Stopped, Threads, WaitError};
use super::work::failed;
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{Probe, Spent};
use crate::stage::{Processed, Stage};
use crate::sync::{Arc, Lock};
use std::time::Instant;

/// A stage, its name, and its probe.
struct Named<S> {
    stage: S,
    name: String,
    probe: Probe,
}

impl<S> Named<S> {
    fn new(threads: &Threads, info: &StageInfo, stage: S) -> Self {
        Named { stage, name: info.name(), probe: threads.probe(info) }
    }

    /// Processes an item. A failure is that of this stage, and not that of the stage whose thread this is.
    fn process<T>(
        &mut self,
        threads: &Threads,
        item: T,
        mut emit: impl FnMut(S::Out) -> Processed,
    ) -> Result<(), Stopped>
    where
        S: Stage<T>,
    {
        let Named { stage, name, probe } = self;
        probe.lap(Spent::WaitingForItems);
        let done = threads.catch_panic(name, || {
            stage.process(item, &mut |item| {
                probe.lap(Spent::Working);
                let sent = emit(item);
                probe.lap(Spent::WaitingForRoom);
                sent
            })
        });
        probe.done();
        done.ok_or(Stopped)?.or_else(|error| failed(threads, name, error))
    }
}

/// The end of an ordered point with a stage that its thread runs.
struct Joined<T, S: Stage<T>> {
    // Dropped first, because a destructor of the stage may wait for the next stages.
    output: Output<S::Out>,
    stage: Named<S>,
}

/// Returns the output of an ordered point whose thread also runs this stage.
pub(crate) fn join_point<T, S>(
    threads: &Threads,
    info: &StageInfo,
    stage: S,
    output: Output<S::Out>,
) -> Output<T>
where
    T: 'static,
    S: Stage<T, Out: Send> + Send + 'static,
{
    let joined = Joined { output, stage: Named::new(threads, info, stage) };
    Output::joined(Box::new(joined), Stamps::new(threads))
}

impl<T, S: Stage<T, Out: Send> + Send> JoinedStage<T> for Joined<T, S> {
    fn reserve(
        &mut self,
        weight: usize,
        threads: &Threads,
        deadline: Option<Instant>,
        flush: &mut dyn FnMut(),
    ) -> Result<(), WaitError> {
        self.output.reserve(weight, threads, deadline, flush)
    }

    fn process(
        &mut self,
        threads: &Threads,
        item: T,
        stamp: Stamp,
        flush: &mut dyn FnMut(),
    ) -> Result<(), Stopped> {
        let Joined { output, stage } = self;
        // The items may have no end, and vanish here.
        threads.check_stopped()?;
        // The item may be one of several, of which only the first has waited for room before it was made.
        output.reserve(stamp.weight, threads, None, &mut *flush)?;
        output.set_stamp(stamp);
        stage.process(threads, item, |item| Ok(output.emit(threads, item, &mut *flush)?))
    }
}

/// The end of a region with a stage that its replicas run, one at a time. Items keep their tags.
struct JoinedSender<T: Send + 'static, S: Stage<T>> {
    threads: Threads,
    sender: Sender<S::Out>,
    stage: Arc<Lock<Named<S>>>,
}

/// Returns the sender of a region whose replicas also run this stage.
pub(crate) fn join_region<T, S>(
    threads: &Threads,
    info: &StageInfo,
    stage: S,
    sender: Sender<S::Out>,
) -> Sender<T>
where
    T: Send + 'static,
    S: Stage<T, Out: Send> + Send + 'static,
{
    let stage = Arc::new(Lock::new(Named::new(threads, info, stage)));
    Sender::Custom(Box::new(JoinedSender { threads: threads.clone(), sender, stage }))
}

impl<T: Send + 'static, S: Stage<T, Out: Send> + Send + 'static> CustomSender<T> for JoinedSender<T, S> {
    fn send(&mut self, Envelope { tag, items }: Envelope<T>) -> Result<(), Envelope<T>> {
        let JoinedSender { threads, sender, stage } = self;
        let mut results = Group::None;
        let mut process = |item| {
            threads.check_stopped()?;
            stage.lock().process(threads, item, |item| {
                results.push(item);
                // An item may have results without end, so a stop is noticed between them.
                Ok(threads.check_stopped()?)
            })
        };
        let processed = items.try_for_each(&mut process);
        let refused = |_| Envelope { tag, items: Group::None };
        processed.map_err(refused)?;
        sender.send(Envelope { tag, items: results }).map_err(|_| refused(Stopped))
    }

    fn duplicate(&self) -> Box<dyn CustomSender<T>> {
        let (threads, stage) = (self.threads.clone(), self.stage.clone());
        Box::new(JoinedSender { threads, sender: self.sender.duplicate(), stage })
    }
}

/// The end of a region without order, whose replicas send their items to the output of an ordered point, one
/// at a time.
struct GatheringSender<T> {
    threads: Threads,
    end: Arc<Lock<GatheringEnd<T>>>,
}

struct GatheringEnd<T> {
    output: Output<T>,
    releaser: Releaser,
    stamps: Stamps,
}

/// Returns the sender of a region without order that ends at this output.
pub(crate) fn gather_region<T: Send + 'static>(
    threads: &Threads,
    output: Output<T>,
    releaser: Releaser,
    stamps: Stamps,
) -> Sender<T> {
    let end = Arc::new(Lock::new(GatheringEnd { output, releaser, stamps }));
    Sender::Custom(Box::new(GatheringSender { threads: threads.clone(), end }))
}

impl<T: Send + 'static> CustomSender<T> for GatheringSender<T> {
    /// Sends the items. Waits until there is room for them. Only the stages behind can make room, so the
    /// other replicas may wait for the lock meanwhile.
    fn send(&mut self, Envelope { tag, items }: Envelope<T>) -> Result<(), Envelope<T>> {
        let GatheringSender { threads, end } = self;
        let mut end = end.lock();
        let GatheringEnd { output, releaser, stamps } = &mut *end;
        let stamp = stamps.take(tag);
        output.set_stamp(stamp);
        let sent = items.try_for_each(|item| {
            threads.check_stopped()?;
            output.emit(threads, item, || releaser.flush())
        });
        releaser.release(stamp.weight);
        if threads.keeps_stamps() {
            // The next item may need all permits, and no later wait returns them.
            releaser.flush();
        }
        sent.map_err(|_| Envelope { tag, items: Group::None })
    }

    fn duplicate(&self) -> Box<dyn CustomSender<T>> {
        Box::new(GatheringSender { threads: self.threads.clone(), end: self.end.clone() })
    }
}
