//! Sources of pipelines.

use super::pipeline::Pipeline;
use super::plan::Plan;
use crate::failure::BoxError;
use crate::measure::stamps::Stamps;
use crate::run::crew::Crew;
use crate::run::origin::Origin;
use crate::run::outlet::Outlet;
use crate::run::places::{Debts, places};
use crate::run::supply::Supply;
use crate::run::work;
use pipes::{Port, shared_stream};
use std::iter::from_fn as iterate;

/// Creates a pipeline whose source is an iterator, in its own thread. Items are `'static`; for borrowed data
/// in memory see [`map`](crate::map) and [`reduce`](crate::reduce).
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

/// Creates a pipeline whose source is a function, called until it returns `None`, in its own thread.
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

/// Creates a pipeline whose source is what a port receives.
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
    let station = plan.station(Some("source"));
    let start = move |crew: &Crew, outlet: Outlet<T>| {
        let mut supply = Supply::direct(port, Debts::none(), Stamps::new(false));
        let mut probe = crew.probe(&station);
        crew.spawn(station.name(), outlet, move |crew, outlet| {
            work::relay(crew, &mut supply, outlet, &mut probe, |_, _| Ok(()))
        });
    };
    Pipeline { origin: Origin::point(start), plan }
}

/// Merges several pipelines into one that takes items from them as they come, each with its own source and
/// perhaps stages. The items of each of them stay in order. The stages behind it have the default limits
/// again. Merging takes a thread. A single pipeline is passed on instead: then its own
/// [`hand_over`](Pipeline::hand_over), and the name of the merge, have no effect.
///
/// ```
/// use pipes_skeleton::{from_iter, merge};
///
/// let both = merge([from_iter(0..10), from_iter(10..20)]);
/// assert_eq!(both.fold(0, |sum, number| sum + number).expect("no stage fails"), 190);
/// ```
pub fn merge<T: Send + 'static>(pipelines: impl IntoIterator<Item = Pipeline<T>>) -> Pipeline<T> {
    let mut plan = Plan::new();
    let mut origins = Vec::new();
    for pipeline in pipelines {
        // The results of each part must come from one thread.
        let is_point = matches!(pipeline.origin, Origin::Point(_));
        let Pipeline { origin, plan: part } = if is_point { pipeline } else { pipeline.gathered() };
        origins.push((origin, part.room));
        plan.merge(part);
    }
    let station = plan.station(Some("merge"));
    let start = move |crew: &Crew, outlet: Outlet<T>| {
        let origins = match <[_; 1]>::try_from(origins) {
            Ok([(origin, _)]) => return origin.start_point(crew, outlet),
            Err(several) => several,
        };
        let (chan, mut port) = shared_stream();
        let (is_measured, queue) = (crew.metrics().is_some(), crew.queue(&station));
        let mut sources: Vec<_> = (0..)
            .zip(origins)
            .map(|(number, (origin, room))| {
                let ((debts, places), stamps) = (places(room), Stamps::new(is_measured));
                let outlet =
                    Outlet::merge(chan.clone(), number, places, stamps.clone()).counted(queue.clone());
                origin.start_point(crew, outlet);
                (debts, stamps)
            })
            .collect();
        drop(chan);
        let mut probe = crew.probe(&station);
        crew.spawn(station.name(), outlet, move |crew, outlet| {
            work::merge(crew, &mut port, &mut sources, outlet, &mut probe)
        });
    };
    Pipeline { origin: Origin::point(start), plan }
}

fn pulled<T: Send + 'static>(
    mut pull: impl FnMut() -> Result<Option<T>, BoxError> + Send + 'static,
) -> Pipeline<T> {
    let mut plan = Plan::new();
    let station = plan.station(Some("source"));
    let start = move |crew: &Crew, outlet: Outlet<T>| {
        let name = station.name();
        let mut probe = crew.probe(&station);
        crew.spawn(name.clone(), outlet, move |crew, outlet| {
            work::source(crew, &name, outlet, &mut probe, &mut pull)
        });
    };
    Pipeline { origin: Origin::point(start), plan }
}
