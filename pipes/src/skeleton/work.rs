//! What the threads of a pipeline do, each until its items end or everything is to stop.

use super::crew::{Crew, Ended, Halted};
use super::envelope::{Envelope, Group};
use super::failure::{BoxError, Cause};
use super::front::Inlet;
use super::gather::Gather;
use super::lane::Lane;
use super::outlet::Outlet;
use super::pace::Pacer;
use super::places::Debts;
use super::recv::recv_paying;
use super::stage::Stage;
use super::supply::Supply;
use crate::stream::Port;

/// A source: what `pull` gives, one item after the other. Nothing is pulled before there is room for it.
pub(super) fn source<T>(
    crew: &Crew,
    name: &str,
    outlet: &mut Outlet<T>,
    mut pull: impl FnMut() -> Result<Option<T>, BoxError>,
) -> Result<(), Halted> {
    loop {
        outlet.reserve(crew, None)?;
        crew.go_on()?;
        match pull().or_else(|error| failed(crew, name, error))? {
            Some(item) => outlet.emit(crew, item)?,
            None => return Ok(()),
        }
    }
}

/// A stage that works on one item after the other, in the order in which they come or came from the source.
pub(super) fn serial<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    supply: &mut Supply<T>,
    stage: &mut S,
    outlet: &mut Outlet<S::Out>,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        outlet.reserve(crew, None)?;
        let Some(item) = supply.next(crew)? else { return Ok(()) };
        let mut handed_on = Ok(());
        let done = stage.process(item, &mut |item| {
            if handed_on.is_ok() {
                handed_on = outlet.emit(crew, item);
            }
        });
        done.or_else(|error| failed(crew, name, error))?;
        handed_on?;
    }
}

/// A stage that puts items together.
pub(super) fn gather<T, G: Gather<T>>(
    crew: &Crew,
    name: &str,
    supply: &mut Supply<T>,
    gather: &mut G,
    outlet: &mut Outlet<G::Out>,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        let next = supply.next_before(crew, || gather.deadline());
        let mut handed_on = Ok(());
        let mut emit = |item| {
            if handed_on.is_ok() {
                handed_on = outlet.emit(crew, item);
            }
        };
        let (done, is_last) = match next {
            Ok(Some(item)) => (gather.take(item, &mut emit), false),
            Err(Ended::Late) => (gather.wake(&mut emit), false),
            Ok(None) => (gather.finish(&mut emit), true),
            Err(Ended::Halted) => return Err(Halted),
        };
        done.or_else(|error| failed(crew, name, error))?;
        handed_on?;
        if is_last {
            return Ok(());
        }
    }
}

/// A stage that lets items through when they are due.
pub(super) fn pace<T>(
    crew: &Crew,
    supply: &mut Supply<T>,
    pacer: &mut Pacer,
    outlet: &mut Outlet<T>,
) -> Result<(), Halted> {
    loop {
        supply.settle();
        outlet.reserve(crew, None)?;
        let Some(item) = supply.next(crew)? else { return Ok(()) };
        pacer.wait(crew)?;
        outlet.emit(crew, item)?;
    }
}

/// Where several pipelines come together. Each item says which of them it comes from, and has a place there.
pub(super) fn merge<T>(
    crew: &Crew,
    port: &mut Port<(usize, T)>,
    debts: &mut [Debts],
    outlet: &mut Outlet<T>,
) -> Result<(), Halted> {
    loop {
        outlet.reserve(crew, None)?;
        crew.go_on()?;
        let received = recv_paying(port, crew, || None, || debts.iter_mut().for_each(Debts::give_back))?;
        let Some((number, item)) = received else { return Ok(()) };
        outlet.emit(crew, item)?;
        debts[number].settle();
    }
}

/// A replica of a stage.
pub(super) fn replica<T, S: Stage<T>>(
    crew: &Crew,
    name: &str,
    inlet: &mut Inlet<T>,
    stage: &mut S,
    lane: &mut Lane<S::Out>,
) -> Result<(), Halted> {
    while let Some(envelope) = inlet.next(crew)? {
        crew.go_on()?;
        let mut items = Group::None;
        let done = envelope.items.try_for_each(|item| stage.process(item, &mut |item| items.push(item)));
        done.or_else(|error| failed(crew, name, error))?;
        lane.send(Envelope { tag: envelope.tag, items }).map_err(|_| Halted)?;
    }
    Ok(())
}

/// A stage has failed with this error.
pub(super) fn failed<R>(crew: &Crew, name: &str, error: BoxError) -> Result<R, Halted> {
    crew.fail(name, Cause::Error(error));
    Err(Halted)
}
