//! The description of a pipeline, stage by stage.

use super::pace::Pace;
use super::place::{Place, Whole};
use super::plan::{MOST_REPLICAS, Plan};
use crate::failure::{BoxError, BuildError};
use crate::measure::probe::Probe;
use crate::run::edge::{Distribution, Router, Sender};
use crate::run::input::Input;
use crate::run::output::Output;
use crate::run::stage_info::Runs;
use crate::run::threads::{Stopped, Threads};
use crate::run::upstream::{Upstream, Window};
use crate::run::work::{self, ReplicaInput, Work, works};
use crate::stage::{Stage, fallible};
use std::fmt;
use std::marker::PhantomData;

/// A pipeline of stages with their own threads, which yields items of type `T`. It runs when you add a sink.
///
/// It begins with a source, such as [`from_iter`](super::from_iter), continues with stages in the order in
/// which they are written, and ends with a sink. [`map`](Pipeline::map), [`filter`](Pipeline::filter) and
/// their like have no thread of their own:
///
/// ```
/// use pipes_skeleton::from_iter;
///
/// let squares = from_iter(1..=1000_u64)
///     .parallel(2, |number| number * number) // a farm of two replicas
///     .ordered(|square| square + 1) // in the order of the source again
///     .collect()
///     .expect("no stage fails");
/// assert_eq!(squares[..3], [2, 5, 10]);
/// ```
///
/// # Order
///
/// Sequential stages keep the order of the items. After a stage with replicas the items come in the order of
/// completion, until [`ordered`](Pipeline::ordered) or [`in_order`](Pipeline::in_order) restores the order of
/// the source.
///
/// # Limits
///
/// A pipeline takes constant memory, however long it runs: [`in_flight`](Pipeline::in_flight) limits the
/// number of items in it, and [`in_flight_bytes`](Pipeline::in_flight_bytes) their size. A *region* begins at
/// a source, or at another point where the items are in order, and ends at the next such point. Each region
/// has an equal share of the limit, or room for 256 items if there is none. An item enters the region, or is
/// requested from the source, only if there is room. It leaves when the stage after the region is done with
/// it. So where the order is restored, item `k + n` enters a region with room for `n` items only after item
/// `k` is done. An item that becomes several in a region counts once. [`explain`](Pipeline::explain) prints
/// the regions.
///
/// Starting or dropping a pipeline recurses from stage to stage: a chain of more than 150 stages may overflow
/// the usual stack of a thread (2 MiB).
///
/// Items are moved from stage to stage by value, which takes room on the stacks of the threads. Put items of
/// more than a few kilobytes into a `Box`, which is also faster, or set a larger
/// [`stack_size`](Pipeline::stack_size).
///
/// # Ends
///
/// A pipeline ends when its source has ended and all items are done. [`Cancel::drain`](super::Cancel::drain)
/// ends the source before it has no more items. A pipeline ends early when a stage panics or
/// fails, when it is cancelled, or when the receiver of its results is dropped. Unfinished items are then
/// dropped. A [`Failure`](crate::Failure) names the first stage that failed.
#[must_use = "a pipeline runs when it is given a sink"]
pub struct Pipeline<T, P = Whole> {
    pub(super) upstream: Upstream<T>,
    pub(super) plan: Plan,
    place: PhantomData<fn(P)>,
}

impl<T, P> Pipeline<T, P> {
    pub(super) fn new(upstream: Upstream<T>, plan: Plan) -> Self {
        Pipeline { upstream, plan, place: PhantomData }
    }
}

impl<T: Send + 'static, P: Place> Pipeline<T, P> {
    /// Adds a stage that processes one item at a time. For the order, see [`Pipeline`].
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares = from_iter(1..=3).sequential(|number| number * number).collect()?;
    /// assert_eq!(squares, [1, 4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sequential<U: Send + 'static>(self, f: impl FnMut(T) -> U + Send + 'static) -> Pipeline<U, P> {
        self.stage(f)
    }

    /// Adds a stage that processes one item at a time and may fail, which ends the pipeline.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let sum = from_iter(["1", "2", "x"])
    ///     .try_sequential(|line| line.parse::<u32>())
    ///     .named("parse");
    /// let failure = sum.collect().expect_err("x is no number");
    /// assert_eq!(failure.stage(), "parse");
    /// ```
    pub fn try_sequential<U, E, F>(self, f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        E: Into<BoxError>,
        F: FnMut(T) -> Result<U, E> + Send + 'static,
    {
        self.stage(fallible(f))
    }

    /// Adds a [`Stage`] that processes one item at a time. After [`in_order`](Pipeline::in_order), it gets
    /// the items in the order of the source.
    ///
    /// ```
    /// use pipes_skeleton::{filter, from_iter};
    ///
    /// let even = from_iter(0..6).stage(filter(|number| number % 2 == 0)).collect()?;
    /// assert_eq!(even, [0, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stage<S>(self, stage: S) -> Pipeline<S::Out, P>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        let is_point = matches!(self.upstream, Upstream::Point(_));
        if is_point || self.plan.in_order {
            self.one_by_one(stage)
        } else {
            self.region(vec![work::work(stage)], None)
        }
    }

    /// Adds a farm: a stage with `replicas` replicas, each a clone with its own state. A free replica takes
    /// the next item.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let mut squares = from_iter(1..=4).parallel(2, |number| number * number).collect()?;
    /// squares.sort();
    /// assert_eq!(squares, [1, 4, 9, 16]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parallel<U, F>(self, replicas: usize, f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        F: FnMut(T) -> U + Clone + Send + 'static,
    {
        self.parallel_with(replicas, |_| f.clone())
    }

    /// Adds a farm whose stage may fail, which ends the pipeline. To continue after an error, use
    /// [`parallel`](Pipeline::parallel), so that the items of the next stage are `Result`s.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let lines = from_iter(["1", "22", "333"]);
    /// let sum = lines
    ///     .try_parallel(2, |line| line.parse::<u32>())
    ///     .fold(0, |sum, number| sum + number)?;
    /// assert_eq!(sum, 356);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_parallel<U, E, F>(self, replicas: usize, f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        E: Into<BoxError>,
        F: FnMut(T) -> Result<U, E> + Clone + Send + 'static,
    {
        self.parallel_with(replicas, |_| fallible(f.clone()))
    }

    /// Adds a farm of [`Stage`]s. `make` is called now, in this thread, with the number of each replica.
    ///
    /// ```
    /// use pipes_skeleton::{filter, from_iter};
    ///
    /// let even =
    ///     from_iter(0..100).parallel_with(2, |_replica| filter(|number| number % 2 == 0));
    /// assert_eq!(even.collect()?.len(), 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parallel_with<S>(self, replicas: usize, make: impl FnMut(usize) -> S) -> Pipeline<S::Out, P>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        self.replicated(replicas, works(replicas.min(MOST_REPLICAS), make), None)
    }

    /// Adds a sequential stage at the end of a region, or after another ordered point.
    fn one_by_one<S>(self, mut stage: S) -> Pipeline<S::Out, P>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        self.point(move |threads, name, input, output, probe| {
            work::serial(threads, name, input, &mut stage, output, probe)
        })
    }

    /// Adds an ordered point, whose thread runs this function.
    pub(super) fn point<U: Send + 'static>(
        self,
        run: impl FnMut(&Threads, &str, &mut Input<T>, &mut Output<U>, &mut Probe) -> Result<(), Stopped>
        + Send
        + 'static,
    ) -> Pipeline<U, P> {
        self.boxed_point(Box::new(run))
    }

    /// Adds an ordered point. This is compiled for each type of items, not for each stage. The box also saves
    /// stack, because starting a stage starts the one before it, so all of them are on the stack at once.
    fn boxed_point<U: Send + 'static>(self, mut run: PointWork<T, U>) -> Pipeline<U, P> {
        let Pipeline { upstream, mut plan, .. } = self;
        let info = plan.add_stage(None, Runs::Threads(1));
        let in_order = plan.end_region(Some(&info));
        let start = move |threads: &Threads, output: Output<U>| {
            let mut input = upstream.input(threads, threads.queue(&info), in_order);
            let (name, mut probe) = (info.name(), threads.probe(&info));
            threads.spawn(name.clone(), output, move |threads, output| {
                run(threads, &name, &mut input, output, &mut probe)
            });
        };
        Pipeline::new(Upstream::point(start), plan)
    }

    /// Adds a stage with replicas, of which `replicas` were requested. If the order has to be restored, adds
    /// a stage for that first.
    pub(super) fn replicated<U: Send + 'static>(
        self,
        replicas: usize,
        works: Vec<Work<T, U>>,
        scheduler: Option<Scheduler<T>>,
    ) -> Pipeline<U, P> {
        let before = if scheduler.is_some() { self.point_here() } else { self.order_here() };
        let mut farm = before.region(works, scheduler);
        farm.plan.check(replicas <= MOST_REPLICAS, BuildError::TooManyReplicas);
        farm
    }

    /// Restores the order here if that was requested and the next stage cannot do it.
    pub(super) fn order_here(self) -> Self {
        let is_point = matches!(self.upstream, Upstream::Point(_));
        if is_point || !self.plan.in_order { self } else { self.one_by_one(|item| item).named("order") }
    }

    /// Ends a region here: restores the order if that was requested, and else takes the items as they come.
    pub(super) fn point_here(self) -> Self {
        let Pipeline { upstream, mut plan, .. } = self.order_here();
        if matches!(upstream, Upstream::Region(..)) {
            plan.end_region_before_next();
        }
        Pipeline::new(upstream.gathered(), plan)
    }

    /// Adds a stage that the thread of the stage before it runs, too. The first stage of a part, and a stage
    /// that restores the order, have a thread of their own.
    pub(super) fn joined<S>(self, stage: S) -> Pipeline<S::Out, P>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        let is_region = matches!(self.upstream, Upstream::Region(..));
        if self.upstream.is_share() || is_region && self.plan.in_order {
            return self.stage(stage);
        }
        let Pipeline { upstream, mut plan, .. } = self;
        let info = plan.add_stage(None, Runs::Joined);
        Pipeline::new(upstream.joined(info, stage), plan)
    }

    /// Adds a stage of a region.
    fn region<U: Send + 'static>(
        self,
        works: Vec<Work<T, U>>,
        scheduler: Option<Scheduler<T>>,
    ) -> Pipeline<U, P> {
        let Pipeline { upstream, mut plan, .. } = self;
        let replicas = works.len();
        let info = plan.add_stage(None, Runs::Threads(replicas));
        plan.check(replicas > 0, BuildError::NoReplicas);
        plan.in_order = false;
        let start = move |threads: &Threads, sender: Sender<U>, mut window| {
            let releasers = Window::early_releasers(&mut window, replicas);
            let router = scheduler.map(|scheduler| catching(scheduler, threads.clone(), info.name()));
            let receivers =
                upstream.receivers(threads, threads.queue(&info), Distribution { replicas, router }, window);
            let name = info.name();
            let parts = works.into_iter().zip(releasers).zip(receivers).zip(sender.split(replicas));
            for (((mut work, releaser), receiver), sender) in parts {
                let (name, mut probe, mut input) =
                    (name.clone(), threads.probe(&info), ReplicaInput { receiver, releaser });
                threads.spawn(name.clone(), sender, move |threads, sender| {
                    // Captures are dropped in the order of use: first the input, then the stage.
                    let input = &mut input;
                    work(threads, &name, input, sender, &mut probe)
                });
            }
        };
        Pipeline::new(Upstream::region(replicas, start), plan)
    }
}

/// What must see all items.
impl<T: Send + 'static> Pipeline<T> {
    /// Adds a stage that processes one item at a time, in the order of the source.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let mut last = 0;
    /// let rising =
    ///     from_iter(1..=100).parallel(2, |number| 2 * number).ordered(move |number| {
    ///         let before = std::mem::replace(&mut last, number);
    ///         number > before
    ///     });
    /// assert!(rising.collect()?.into_iter().all(|is_more| is_more));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ordered<U: Send + 'static>(self, f: impl FnMut(T) -> U + Send + 'static) -> Pipeline<U> {
        self.in_order().stage(f)
    }

    /// Restores the order of the source for the next sequential stage, or the sink.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares =
    ///     from_iter(1..=4).parallel(2, |number| number * number).in_order().collect()?;
    /// assert_eq!(squares, [1, 4, 9, 16]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_order(mut self) -> Self {
        self.plan.in_order = true;
        self
    }

    /// Passes items on at a pace. After a source, the source yields its items at that pace.
    ///
    /// ```
    /// use pipes_skeleton::{Pace, from_iter};
    ///
    /// let pace = Pace::new(10_000.0)?;
    /// assert_eq!(from_iter(0..10).paced(&pace).collect()?.len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paced(self, pace: &Pace) -> Self {
        let mut pacer = pace.pacer();
        let is_source = matches!(self.upstream, Upstream::Point(_)) && !self.plan.has_region();
        self.point(move |threads, _, input, output, probe| {
            work::relay(threads, input, output, probe, is_source, |threads, input| {
                pacer.wait(threads, || input.flush())
            })
        })
    }
}

/// The loop of an ordered point.
type PointWork<T, U> =
    Box<dyn FnMut(&Threads, &str, &mut Input<T>, &mut Output<U>, &mut Probe) -> Result<(), Stopped> + Send>;

/// The user's function that chooses the replica for an item.
pub(super) type Scheduler<T> = Box<dyn FnMut(&T, usize) -> usize + Send>;

/// Wraps the user's function, which the previous stage calls. A panic is reported as a failure of the stage
/// that the function was given to.
pub(super) fn catching<T: 'static>(mut scheduler: Scheduler<T>, threads: Threads, name: String) -> Router<T> {
    Box::new(move |item, replicas| threads.catch_panic(&name, || scheduler(item, replicas)))
}

impl<T, P> fmt::Debug for Pipeline<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline").field("plan", &self.plan).finish_non_exhaustive()
    }
}
