//! The loops of a pipeline's threads. Each runs until its items end or the run is stopped.

use super::edge::Sender;
use super::input::Input;
use super::output::Output;
use super::permits::Releaser;
use super::receiver::Receiver;
use super::recv::{Limit, Unlimited, UntilDrained, recv_with_flush};
use super::stamps::Stamps;
use super::threads::{Stopped, Threads, WaitError};
use crate::envelope::{Envelope, Group};
use crate::failure::{BoxError, FailureKind};
use crate::measure::probe::{Probe, Spent};
use crate::stage::{Processed, Stage};
use pipes::Port;
use std::task::{Context, Poll};
use std::vec;

/// Runs a source, which sends the items that `pull` returns. An item is only pulled when there is a permit
/// for it, and none when the run is draining.
pub(crate) fn source<T>(
    threads: &Threads,
    name: &str,
    output: &mut Output<T>,
    probe: &mut Probe,
    mut pull: impl FnMut() -> Result<Option<T>, BoxError>,
) -> Result<(), Stopped> {
    loop {
        output.reserve(1, threads, None, || ())?;
        threads.check_stopped()?;
        if threads.is_draining() {
            return Ok(());
        }
        probe.lap(Spent::WaitingForRoom);
        let pulled = pull();
        let Ok(Some(item)) = pulled else {
            return pulled.map(drop).or_else(|error| failed(threads, name, error));
        };
        probe.done();
        output.stamp();
        output.emit(threads, item, || ())?;
    }
}

/// Runs a source whose items are polled for, until the run is draining.
pub(crate) fn polled<T>(
    threads: &Threads,
    output: &mut Output<T>,
    probe: &mut Probe,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<Option<T>>,
) -> Result<(), Stopped> {
    loop {
        output.reserve(1, threads, None, || ())?;
        threads.check_stopped()?;
        probe.lap(Spent::WaitingForRoom);
        let next = |cx: &mut Context<'_>| if threads.is_draining() { Poll::Ready(None) } else { poll(cx) };
        let Some(item) = threads.sleep("the source of a pipeline", || None, next)? else {
            return Ok(());
        };
        probe.lap(Spent::WaitingForItems);
        probe.done();
        output.stamp();
        output.emit(threads, item, || ())?;
    }
}

/// Runs a stage that processes one item at a time.
pub(crate) fn serial<T, S: Stage<T>>(
    threads: &Threads,
    name: &str,
    input: &mut Input<T>,
    stage: &mut S,
    output: &mut Output<S::Out>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    loop {
        input.release();
        output.reserve(1, threads, None, || input.flush())?;
        probe.lap(Spent::WaitingForRoom);
        let next = input.next(threads);
        let Ok(Some(item)) = next else { return next.map(drop) };
        probe.took();
        output.set_stamp(input.stamp());
        let done = stage.process(item, &mut emitter(threads, input, output, probe));
        probe.done();
        done.or_else(|error| failed(threads, name, error))?;
    }
}

/// Returns the function that sends what a stage emits. It returns an error if the next stage has ended.
#[inline]
fn emitter<'a, T, U>(
    threads: &'a Threads,
    input: &'a mut Input<T>,
    output: &'a mut Output<U>,
    probe: &'a mut Probe,
) -> impl FnMut(U) -> Processed + 'a {
    |item| {
        probe.lap(Spent::Working);
        let sent = output.emit(threads, item, || input.flush());
        probe.lap(Spent::WaitingForRoom);
        Ok(sent?)
    }
}

/// Runs a source whose items come from a port, or a stage that delays items until they are due. If `leaves`
/// is `true`, this is where they leave the source, and it ends when the run is draining.
pub(crate) fn relay<T>(
    threads: &Threads,
    input: &mut Input<T>,
    output: &mut Output<T>,
    probe: &mut Probe,
    leaves: bool,
    mut is_due: impl FnMut(&Threads, &mut Input<T>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    loop {
        input.release();
        output.reserve(1, threads, None, || input.flush())?;
        probe.lap(Spent::WaitingForRoom);
        let mut limit = UntilDrained(leaves.then_some(threads));
        if limit.is_reached() {
            return Ok(());
        }
        let next = input.next_within(threads, &mut limit);
        let Ok(Some(item)) = next else {
            return if matches!(next, Err(WaitError::Stopped)) { Err(Stopped) } else { Ok(()) };
        };
        probe.took();
        is_due(threads, input)?;
        probe.lap(Spent::WaitingForItems);
        output.set_stamp(input.stamp());
        if leaves {
            output.stamp();
        }
        output.emit(threads, item, || input.flush())?;
        probe.done();
    }
}

/// Runs a merge of several pipelines. Each item comes with the number of its pipeline, and has a permit
/// there.
pub(crate) fn merge<T>(
    threads: &Threads,
    port: &mut Port<(usize, T)>,
    sources: &mut [(Releaser, Stamps)],
    output: &mut Output<T>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    let mut received = vec![0; sources.len()];
    loop {
        let mut flush = || sources.iter_mut().for_each(|(releaser, _)| releaser.flush());
        output.reserve(1, threads, None, &mut flush)?;
        threads.check_stopped()?;
        probe.lap(Spent::WaitingForRoom);
        let next = recv_with_flush(port, threads, &mut Unlimited, flush);
        let Ok(Some((number, item))) = next else { return next.map(drop).map_err(Stopped::from) };
        probe.took();
        let stamp = sources[number].1.take(received[number]);
        output.set_stamp(stamp);
        received[number] = received[number].wrapping_add(1);
        let flush = || sources.iter_mut().for_each(|(releaser, _)| releaser.flush());
        output.emit(threads, item, flush)?;
        probe.done();
        sources[number].0.release(stamp.weight);
    }
}

/// A replica of a stage, and its current items. Its thread owns both, so that a failure is reported before
/// they are dropped. Replicas are allocated one after another. The alignment ensures that no two of them
/// share a cache line, or a pair of lines that a processor fetches together.
#[repr(align(128))]
struct Replica<T, S: Stage<T>> {
    stage: S,
    /// The items of the current envelope that are not processed yet.
    rest: vec::IntoIter<T>,
    /// The results of the items processed before them.
    results: Group<S::Out>,
}

/// The input of a replica.
pub(crate) struct ReplicaInput<T> {
    pub(crate) receiver: Receiver<T>,
    /// Releases the permits of items that become nothing. `None` if the end of the region needs the tags of
    /// all items.
    pub(crate) releaser: Option<Releaser>,
}

/// The loop of a replica of any type.
pub(crate) type Work<T, U> = Box<
    dyn FnMut(&Threads, &str, &mut ReplicaInput<T>, &mut Sender<U>, &mut Probe) -> Result<(), Stopped> + Send,
>;

/// Returns the loop of a replica. It is boxed, so that what a region does with it is compiled for each type
/// of items, and not for each stage.
pub(crate) fn work<T, S>(stage: S) -> Work<T, S::Out>
where
    T: Send + 'static,
    S: Stage<T, Out: Send> + Send + 'static,
{
    let mut state = Replica { stage, rest: Vec::new().into_iter(), results: Group::None };
    Box::new(move |threads, name, input, sender, probe| {
        replica(threads, name, input, &mut state, sender, probe)
    })
}

/// Returns the loops of this number of replicas.
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
    threads: &Threads,
    name: &str,
    ReplicaInput { receiver, releaser }: &mut ReplicaInput<T>,
    replica: &mut Replica<T, S>,
    sender: &mut Sender<S::Out>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    loop {
        let next = receiver.next(threads, || releaser.iter_mut().for_each(Releaser::flush));
        let Ok(Some(Envelope { tag, items })) = next else { return next.map(drop) };
        threads.check_stopped()?;
        probe.took_group(&items);
        match items {
            Group::None => {}
            Group::One(item) => process(threads, name, item, replica, probe)?,
            Group::Many(items) => {
                replica.rest = items.into_iter();
                process_rest(threads, name, replica, probe)?;
            }
        }
        match (&replica.results, &mut *releaser) {
            (Group::None, Some(releaser)) => releaser.release(1),
            _ => {
                forward(sender, tag, &mut replica.results)?;
                // A stage that has joined this one has processed the results.
                probe.lap(Spent::WaitingForRoom);
            }
        }
    }
}

/// Sends what an item has become to the next stage.
#[inline]
fn forward<T>(sender: &mut Sender<T>, tag: usize, results: &mut Group<T>) -> Result<(), Stopped> {
    sender.send(Envelope { tag, items: std::mem::take(results) }).map_err(|_| Stopped)
}

/// Processes the remaining items of an envelope.
fn process_rest<T, S: Stage<T>>(
    threads: &Threads,
    name: &str,
    replica: &mut Replica<T, S>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    while let Some(item) = replica.rest.next() {
        process(threads, name, item, replica, probe)?;
    }
    Ok(())
}

/// Processes one item, and keeps its results.
fn process<T, S: Stage<T>>(
    threads: &Threads,
    name: &str,
    item: T,
    replica: &mut Replica<T, S>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    let done = replica.stage.process(item, &mut |item| {
        replica.results.push(item);
        // An item may have results without end, so a stop is noticed between them.
        Ok(threads.check_stopped()?)
    });
    probe.done();
    done.or_else(|error| failed(threads, name, error))
}

/// Reports that a stage has failed with this error, unless the error only says that the run was stopped.
pub(crate) fn failed<R>(threads: &Threads, name: &str, error: BoxError) -> Result<R, Stopped> {
    if !(error.is::<Stopped>() && threads.is_stopped()) {
        threads.fail(name, FailureKind::Error(error));
    }
    Err(Stopped)
}
