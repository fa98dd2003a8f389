//! Sources of pipelines.

use super::pipeline::Pipeline;
use super::plan::Plan;
use crate::failure::BoxError;
use crate::measure::timestamps::Timestamps;
use crate::run::input::Input;
use crate::run::output::Output;
use crate::run::permits::{Releaser, permits};
use crate::run::threads::Threads;
use crate::run::upstream::Upstream;
use crate::run::work;
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
    pulled(move || Ok(items.next()))
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
    pulled(move || items.next().transpose().map_err(Into::into))
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
    let info = plan.add_stage(Some("source"));
    let start = move |threads: &Threads, output: Output<T>| {
        let mut input = Input::direct(port, Releaser::none(), Timestamps::new(false));
        let mut probe = threads.probe(&info);
        threads.spawn(info.name(), output, move |threads, output| {
            work::relay(threads, &mut input, output, &mut probe, |_, _| Ok(()))
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}

/// Merges several pipelines into one, which takes their items in the order in which they arrive. The items of
/// each pipeline stay in order. The stages after the merge have the default limits again. The merge takes a
/// thread. A single pipeline is passed on without one, and its own [`hand_over`](Pipeline::hand_over), and
/// the name of the merge, have no effect.
///
/// ```
/// use pipes_skeleton::{from_iter, merge};
///
/// let both = merge([from_iter(0..10), from_iter(10..20)]);
/// assert_eq!(both.fold(0, |sum, number| sum + number).expect("no stage fails"), 190);
/// ```
pub fn merge<T: Send + 'static>(pipelines: impl IntoIterator<Item = Pipeline<T>>) -> Pipeline<T> {
    let mut plan = Plan::new();
    let mut upstreams = Vec::new();
    for pipeline in pipelines {
        // The results of each pipeline must come from one thread.
        let is_point = matches!(pipeline.upstream, Upstream::Point(_));
        let Pipeline { upstream, plan: part, .. } = if is_point { pipeline } else { pipeline.gathered() };
        upstreams.push((upstream, part.hand_over));
        plan.merge(part);
    }
    let info = plan.add_stage(Some("merge"));
    let start = move |threads: &Threads, output: Output<T>| {
        let upstreams = match <[_; 1]>::try_from(upstreams) {
            Ok([(upstream, _)]) => return upstream.start_point(threads, output),
            Err(several) => several,
        };
        let (chan, mut port) = shared_stream();
        let (is_measured, queue) = (threads.metrics().is_some(), threads.queue(&info));
        let mut sources: Vec<_> = (0..)
            .zip(upstreams)
            .map(|(number, (upstream, hand_over))| {
                let ((releaser, permits), timestamps) = (permits(hand_over), Timestamps::new(is_measured));
                let output =
                    Output::merge(chan.clone(), number, permits, timestamps.clone()).counted(queue.clone());
                upstream.start_point(threads, output);
                (releaser, timestamps)
            })
            .collect();
        drop(chan);
        let mut probe = threads.probe(&info);
        threads.spawn(info.name(), output, move |threads, output| {
            work::merge(threads, &mut port, &mut sources, output, &mut probe)
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}

fn pulled<T: Send + 'static>(
    mut pull: impl FnMut() -> Result<Option<T>, BoxError> + Send + 'static,
) -> Pipeline<T> {
    let mut plan = Plan::new();
    let info = plan.add_stage(Some("source"));
    let start = move |threads: &Threads, output: Output<T>| {
        let name = info.name();
        let mut probe = threads.probe(&info);
        threads.spawn(name.clone(), output, move |threads, output| {
            work::source(threads, &name, output, &mut probe, &mut pull)
        });
    };
    Pipeline::new(Upstream::point(start), plan)
}
