//! The work of a pipeline's threads, each until its items end or the run is stopped.

use super::crew::{Crew, Ended, Halted};
use super::front::Inlet;
use super::lane::Lane;
use super::outlet::Outlet;
use super::places::Debts;
use super::recv::{Limit, Unlimited, recv_paying};
use super::supply::Supply;
use crate::envelope::{Envelope, Group};
use crate::failure::{BoxError, Cause};
use crate::gather::Gather;
use crate::measure::probe::{Probe, Spent};
use crate::measure::stamps::Stamps;
use crate::stage::{Processed, Stage};
use pipes::Port;
use std::marker::PhantomData;
use std::task::{Context, Poll};
use std::time::Instant;
use std::vec;

/// Runs a source, which hands over the items that `pull` returns. Nothing is pulled before there is room for
/// it.
pub(crate) fn source<T>(
    crew: &Crew,
    name: &str,
    outlet: &mut Outlet<T>,
    probe: &mut Probe,
    mut pull: impl FnMut() -> Result<Option<T>, BoxError>,
) -> Result<(), Halted> {
    loop {
        outlet.reserve(crew, None, || ())?;
        crew.go_on()?;
        probe.lap(Spent::WaitingForRoom);
        let pulled = pull();
        let Ok(Some(item)) = pulled else {
            return pulled.map(drop).or_else(|error| failed(crew, name, error));
        };
        probe.done();
        outlet.leaves_source();
        outlet.emit(crew, item, || ())?;
    }
}

/// Runs a stage that processes one item after the other, in the order in which they come, or in that of the
/// source.
pub(crate) fn serial<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    supply: &mut Supply<T>,
    stage: &mut S,
    outlet: &mut Outlet<S::Out>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        outlet.reserve(crew, None, || supply.give_back())?;
        probe.lap(Spent::WaitingForRoom);
        let next = supply.next(crew);
        let Ok(Some(item)) = next else { return next.map(drop) };
        probe.took();
        outlet.left_source(supply.born());
        let done = stage.process(item, &mut emitter(crew, supply, outlet, probe));
        probe.done();
        done.or_else(|error| failed(crew, name, error))?;
    }
}

/// Returns the function that hands over what a stage emits, until the next stage has ended.
#[inline]
fn emitter<'a, T, U>(
    crew: &'a Crew,
    supply: &'a mut Supply<T>,
    outlet: &'a mut Outlet<U>,
    probe: &'a mut Probe,
) -> impl FnMut(U) -> Processed + 'a {
    |item| {
        probe.lap(Spent::Working);
        let handed_on = outlet.emit(crew, item, || supply.give_back());
        probe.lap(Spent::WaitingForRoom);
        Ok(handed_on?)
    }
}

/// The limit that is reached when a stage wants to be woken.
struct UntilWoken<'a, G, T>(&'a mut G, PhantomData<fn(T)>);

impl<T, G: Gather<T>> Limit for UntilWoken<'_, G, T> {
    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    fn has_happened(&self) -> bool {
        self.0.deadline().is_some_and(|moment| moment <= Instant::now())
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.register(cx.waker());
        Poll::Pending
    }
}

/// Runs a stage that combines items.
pub(crate) fn gather<T, G: Gather<T>>(
    crew: &Crew,
    name: &str,
    supply: &mut Supply<T>,
    gather: &mut G,
    outlet: &mut Outlet<G::Out>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        let next = supply.next_within(crew, &mut UntilWoken(gather, PhantomData));
        match &next {
            Ok(Some(_)) => {
                probe.took();
                outlet.left_source(supply.born());
            }
            _ => probe.lap(Spent::WaitingForItems),
        }
        let is_item = matches!(next, Ok(Some(_)));
        let mut emit = emitter(crew, supply, outlet, probe);
        let (done, is_last) = match next {
            Ok(Some(item)) => (gather.take(item, &mut emit), false),
            Err(Ended::Late) => (gather.wake(&mut emit), false),
            Ok(None) => (gather.finish(&mut emit), true),
            Err(Ended::Halted) => return Err(Halted),
        };
        drop(emit);
        if is_item {
            probe.done();
        }
        done.or_else(|error| failed(crew, name, error))?;
        if is_last {
            return Ok(());
        }
    }
}

/// Runs a source whose items come from a port, or a stage that delays items until they are due.
pub(crate) fn relay<T>(
    crew: &Crew,
    supply: &mut Supply<T>,
    outlet: &mut Outlet<T>,
    probe: &mut Probe,
    mut is_due: impl FnMut(&Crew, &mut Supply<T>) -> Result<(), Halted>,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        outlet.reserve(crew, None, || supply.give_back())?;
        probe.lap(Spent::WaitingForRoom);
        let next = supply.next(crew);
        let Ok(Some(item)) = next else { return next.map(drop) };
        probe.took();
        is_due(crew, supply)?;
        probe.lap(Spent::WaitingForItems);
        outlet.leaves_source();
        outlet.emit(crew, item, || supply.give_back())?;
        probe.done();
    }
}

/// Runs a merge of several pipelines. Each item has the number of its pipeline, and a place there.
pub(crate) fn merge<T>(
    crew: &Crew,
    port: &mut Port<(usize, T)>,
    sources: &mut [(Debts, Stamps)],
    outlet: &mut Outlet<T>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    let mut came = vec![0; sources.len()];
    loop {
        let mut pay = || sources.iter_mut().for_each(|(debts, _)| debts.give_back());
        outlet.reserve(crew, None, &mut pay)?;
        crew.go_on()?;
        probe.lap(Spent::WaitingForRoom);
        let next = recv_paying(port, crew, &mut Unlimited, pay);
        let Ok(Some((number, item))) = next else { return next.map(drop).map_err(Halted::from) };
        probe.took();
        let (debts, stamps) = &mut sources[number];
        outlet.left_source(stamps.take(came[number]));
        came[number] = came[number].wrapping_add(1);
        // A place was reserved, so this does not wait.
        outlet.emit(crew, item, || ())?;
        probe.done();
        debts.settle();
    }
}

/// A replica of a stage, and its current items. Its thread owns both, so that a failure is reported before
/// they are dropped. Replicas are allocated one after another; because they are aligned, two of them share no
/// cache line, nor the pair of lines that a processor fetches together.
#[repr(align(128))]
struct Replica<T, S: Stage<T>> {
    stage: S,
    /// The items of a group that are still to be processed.
    rest: vec::IntoIter<T>,
    /// The results of the items before.
    made: Group<S::Out>,
}

/// From where a replica takes its items.
pub(crate) struct Intake<T> {
    pub(crate) inlet: Inlet<T>,
    /// For the places of items that become nothing. `None` if the end of the region needs these items, too.
    pub(crate) refund: Option<Debts>,
}

/// The work of a replica of any type.
pub(crate) type Work<T, U> =
    Box<dyn FnMut(&Crew, &str, &mut Intake<T>, &mut Lane<U>, &mut Probe) -> Result<(), Halted> + Send>;

/// Returns the work of a replica. What a region does with it is compiled for each type of items, and not for
/// each stage.
pub(crate) fn work<T, S>(stage: S) -> Work<T, S::Out>
where
    T: Send + 'static,
    S: Stage<T, Out: Send> + Send + 'static,
{
    let mut own = Replica { stage, rest: Vec::new().into_iter(), made: Group::None };
    Box::new(move |crew, name, intake, lane, probe| replica(crew, name, intake, &mut own, lane, probe))
}

/// Returns the work of each of this number of replicas.
pub(crate) fn works<T, S>(replicas: usize, mut make: impl FnMut(usize) -> S) -> Vec<Work<T, S::Out>>
where
    T: Send + 'static,
    S: Stage<T, Out: Send> + Send + 'static,
{
    let mut works = Vec::with_capacity(replicas);
    for replica in 0..replicas {
        works.push(work(make(replica)));
    }
    works
}

/// Processes items until there are no more.
fn replica<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    Intake { inlet, refund }: &mut Intake<T>,
    replica: &mut Replica<T, S>,
    lane: &mut Lane<S::Out>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    loop {
        let next = inlet.next(crew, || refund.iter_mut().for_each(Debts::give_back));
        let Ok(Some(Envelope { tag, items })) = next else { return next.map(drop) };
        crew.go_on()?;
        probe.took_group(&items);
        match items {
            Group::None => {}
            Group::One(item) => process(crew, name, item, replica, probe)?,
            Group::Many(items) => {
                replica.rest = items.into_iter();
                process_rest(crew, name, replica, probe)?;
            }
        }
        match (&replica.made, &mut *refund) {
            (Group::None, Some(refund)) => refund.settle(),
            _ => hand_on(lane, tag, &mut replica.made)?,
        }
    }
}

/// Hands on what an item has become.
#[inline]
fn hand_on<T>(lane: &mut Lane<T>, tag: usize, made: &mut Group<T>) -> Result<(), Halted> {
    lane.send(Envelope { tag, items: std::mem::take(made) }).map_err(|_| Halted)
}

/// Processes the items of a group.
fn process_rest<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    replica: &mut Replica<T, S>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    while let Some(item) = replica.rest.next() {
        process(crew, name, item, replica, probe)?;
    }
    Ok(())
}

/// Processes one item, and keeps its results.
fn process<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    item: T,
    replica: &mut Replica<T, S>,
    probe: &mut Probe,
) -> Result<(), Halted> {
    let done = replica.stage.process(item, &mut |item| {
        replica.made.push(item);
        // The results of an item may have no end, so the run may be stopped between them.
        Ok(crew.go_on()?)
    });
    probe.done();
    done.or_else(|error| failed(crew, name, error))
}

/// Reports that a stage has failed with this error, unless the error only says that no more items are taken.
pub(crate) fn failed<R>(crew: &Crew, name: &str, error: BoxError) -> Result<R, Halted> {
    if !(error.is::<Halted>() && crew.is_stopped()) {
        crew.fail(name, Cause::Error(error));
    }
    Err(Halted)
}
