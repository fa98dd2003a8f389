//! Sources of pipelines.

use super::pipeline::Pipeline;
use super::plan::Plan;
use crate::failure::BoxError;
use crate::run::input::Input;
use crate::run::output::Output;
use crate::run::permits::{Releaser, permits};
use crate::run::stage_info::Runs;
use crate::run::stamps::Stamps;
use crate::run::threads::Threads;
use crate::run::upstream::Upstream;
use crate::run::work;
use futures_core::Stream;
use pipes::{Port, shared_stream};
use std::iter::from_fn as iterate;

/// Creates a pipeline whose source is an iterator, which runs in its own thread. Items are `'static`. For
/// borrowed data in memory, see [`map`](crate::map) and [`reduce`](crate::reduce).
///
/// ```
/// use pipes_skeleton::from_iter;
///
/// assert_eq!(from_iter(vec!["a", "b"]).collect()?, ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_iter<I>(items: I) -> Pipeline<I::Item>
where
    I: IntoIterator<Item: Send + 'static, IntoIter: Send + 'static>,
{
    let mut items = items.into_iter();
    pulled(false, move || Ok(items.next()))
}

/// Creates a pipeline whose source is an iterator that may fail, which ends the pipeline.
///
/// ```
/// use pipes_skeleton::try_from_iter;
///
/// let lines = ["1", "x"].map(str::parse::<u32>);
/// let failure = try_from_iter(lines).collect().expect_err("x is no number");
/// assert_eq!(failure.stage(), "source");
/// ```
pub fn try_from_iter<I, T, E>(items: I) -> Pipeline<T>
where
    I: IntoIterator<Item = Result<T, E>, IntoIter: Send + 'static>,
    T: Send + 'static,
    E: Into<BoxError>,
{
    let mut items = items.into_iter();
    pulled(false, move || items.next().transpose().map_err(Into::into))
}

/// Creates a pipeline whose source is a function. Its own thread calls it until it returns `None`.
///
/// ```
/// use pipes_skeleton::from_fn;
///
/// let mut left = 3;
/// let countdown = from_fn(move || {
///     left -= 1;
///     (left >= 0).then_some(left)
/// });
/// assert_eq!(countdown.collect()?, [2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_fn<T: Send + 'static>(next: impl FnMut() -> Option<T> + Send + 'static) -> Pipeline<T> {
    from_iter(iterate(next))
}

/// Creates a pipeline whose source is a port.
///
/// ```
/// use pipes_skeleton::from_port;
///
/// let (mut chan, port) = pipes::stream();
/// std::thread::spawn(move || (1..=3).try_for_each(|number| chan.send(number)));
/// assert_eq!(
///     from_port(port).sequential(|number| number * number).collect()?,
///     [1, 4, 9]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_port<T: Send + 'static>(port: Port<T>) -> Pipeline<T> {
    let mut plan = Plan::new();
    let info = plan.add_source(true);
    let start = move |threads: &Threads, output: Output<T>| {
        let mut input = Input::direct(port, Releaser::none(), Stamps::off());
        let mut probe = threads.probe(&info);
        threads.spawn(info.name(), output, move |threads, output| {
            work::relay(threads, &mut input, output, &mut probe, true, |_, _| Ok(()))
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}

/// Creates a pipeline whose source is a stream of futures, which the source's thread polls. A stream that
/// needs the timers or sockets of a runtime must be created inside that runtime, with `runtime.enter()`.
///
/// ```
/// use pipes_skeleton::from_stream;
///
/// // A port is such a stream.
/// let (mut chan, port) = pipes::stream();
/// std::thread::spawn(move || (1..=3).try_for_each(|number| chan.send(number)));
/// assert_eq!(from_stream(port).map(|number| number * number).collect()?, [1, 4, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_stream<S>(stream: S) -> Pipeline<S::Item>
where
    S: Stream<Item: Send + 'static> + Send + 'static,
{
    let mut stream = Box::pin(stream);
    let mut plan = Plan::new();
    let info = plan.add_source(true);
    let start = move |threads: &Threads, output: Output<S::Item>| {
        let mut probe = threads.probe(&info);
        threads.spawn(info.name(), output, move |threads, output| {
            work::polled(threads, output, &mut probe, |cx| stream.as_mut().poll_next(cx))
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}

/// Merges several pipelines into one, which takes their items in the order in which they arrive. The items of
/// each pipeline stay in order. The merge takes a thread. If several of them have
/// a limit of items in flight, the largest is that of the whole. A merge of one pipeline is that pipeline.
///
/// ```
/// use pipes_skeleton::{from_iter, merge};
///
/// let both = merge([from_iter(0..10), from_iter(10..20)]);
/// assert_eq!(both.fold(0, |sum, number| sum + number).expect("no stage fails"), 190);
/// ```
pub fn merge<T: Send + 'static>(pipelines: impl IntoIterator<Item = Pipeline<T>>) -> Pipeline<T> {
    let pipelines = match <[_; 1]>::try_from(Vec::from_iter(pipelines)) {
        Ok([pipeline]) => return pipeline,
        Err(several) => several,
    };
    let mut plan = Plan::new();
    let mut upstreams = Vec::new();
    for pipeline in pipelines {
        // The results of each pipeline must come from one output.
        let Pipeline { upstream, plan: mut part, .. } = pipeline.point_here();
        part.end_region(None);
        upstreams.push(upstream);
        plan.merge(part);
    }
    let info = plan.add_stage(Some("merge"), Runs::Threads(1));
    info.ends_region(false);
    let start = move |threads: &Threads, output: Output<T>| {
        let (chan, mut port) = shared_stream();
        let queue = threads.queue(&info);
        let mut sources = Vec::with_capacity(upstreams.len());
        for (number, upstream) in upstreams.into_iter().enumerate() {
            let ((releaser, permits), stamps) = (permits(threads.setting().room), Stamps::new(threads));
            let output = Output::merge(chan.clone(), number, permits, stamps.clone()).counted(queue.clone());
            upstream.start_point(threads, output);
            sources.push((releaser, stamps));
        }
        drop(chan);
        let mut probe = threads.probe(&info);
        threads.spawn(info.name(), output, move |threads, output| {
            work::merge(threads, &mut port, &mut sources, output, &mut probe)
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}

/// Creates a pipeline whose source calls this function until it returns `None`. If it `may_block`, waiting
/// for the outside world, the pipeline does not wait for it when it is stopped.
pub(super) fn pulled<T: Send + 'static>(
    may_block: bool,
    mut pull: impl FnMut() -> Result<Option<T>, BoxError> + Send + 'static,
) -> Pipeline<T> {
    let mut plan = Plan::new();
    let info = plan.add_source(true);
    let start = move |threads: &Threads, output: Output<T>| {
        let name = info.name();
        let mut probe = threads.probe(&info);
        let spawn = if may_block { Threads::spawn_reader } else { Threads::spawn };
        spawn(threads, name.clone(), output, move |threads: &Threads, output: &mut Output<T>| {
            work::source(threads, &name, output, &mut probe, &mut pull)
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}
