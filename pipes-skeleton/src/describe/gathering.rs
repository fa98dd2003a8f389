//! Stages that combine items: one thread, or replicas.

use super::batch::Batching;
use super::pipeline::{Pipeline, Scheduler, catching};
use super::plan::MOST_REPLICAS;
use super::schedule::replica_of;
use crate::failure::BuildError;
use crate::gather::Gather;
use crate::measure::probe::Probe;
use crate::run::edge::Distribution;
use crate::run::gathering::{self, GatherInput, SharedOutput};
use crate::run::output::Output;
use crate::run::stage_info::Runs;
use crate::run::threads::{Stopped, Threads};
use crate::run::upstream::Upstream;
use std::hash::Hash;

/// The loop of a replica that combines items.
type GatherWork<T, U> = Box<
    dyn FnMut(&Threads, &str, &mut GatherInput<T>, &mut SharedOutput<U>, &mut Probe) -> Result<(), Stopped>
        + Send,
>;

impl<T: Send + 'static> Pipeline<T> {
    /// Adds a stage that combines items, in the order in which they come. After
    /// [`in_order`](Pipeline::in_order), they come in the order of the source. The items that the stage emits
    /// begin a new order.
    ///
    /// ```
    /// use pipes_skeleton::{Gather, Processed, from_iter};
    ///
    /// /// The sum of all items.
    /// struct Sum(u32);
    ///
    /// impl Gather<u32> for Sum {
    ///     type Out = u32;
    ///
    ///     fn take(&mut self, item: u32, _: &mut impl FnMut(u32) -> Processed) -> Processed {
    ///         self.0 += item;
    ///         Ok(())
    ///     }
    ///
    ///     fn finish(&mut self, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
    ///         emit(self.0)
    ///     }
    /// }
    ///
    /// assert_eq!(from_iter([1, 2, 3]).gather(Sum(0)).collect()?, [6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gather<G>(self, mut gather: G) -> Pipeline<G::Out>
    where
        G: Gather<T> + Send + 'static,
        G::Out: Send + 'static,
    {
        self.point(move |threads, name, input, output, probe| {
            gathering::gather(threads, name, input, &mut gather, output, probe)
        })
    }

    /// Adds a farm whose replicas combine items: to sum up in parallel, and emit at the end. A free replica
    /// takes the next item. `make` is called now, in this thread, with the number of each replica.
    ///
    /// The items that the replicas emit begin a new order. Those that they emit at the end come in the order
    /// of the replicas.
    ///
    /// ```
    /// use pipes_skeleton::{fold, from_iter};
    /// use std::collections::HashMap;
    ///
    /// let words = ["to", "be", "or", "not", "to", "be"];
    /// let counts = from_iter(words)
    ///     .parallel_gather(2, |_replica| {
    ///         fold(HashMap::new(), |mut counts, word| {
    ///             *counts.entry(word).or_insert(0) += 1;
    ///             counts
    ///         })
    ///     })
    ///     .reduce(|mut all, counts| {
    ///         for (word, count) in counts {
    ///             *all.entry(word).or_insert(0) += count;
    ///         }
    ///         all
    ///     })?;
    /// assert_eq!(counts.unwrap_or_default()["be"], 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Which replica gets an item depends on chance, so it must not matter for the result. For keys that stay
    /// together, see [`keyed_gather`](Pipeline::keyed_gather).
    pub fn parallel_gather<G>(self, replicas: usize, make: impl FnMut(usize) -> G) -> Pipeline<G::Out>
    where
        G: Gather<T> + Send + 'static,
        G::Out: Send + 'static,
    {
        self.order_here().gathered_by(replicas, works(replicas, make), None)
    }

    /// Adds a farm whose replicas combine items, in which all items with the same key go to the same replica,
    /// in the order in which they come; see [`keyed`](Pipeline::keyed). So what a replica has gathered of a
    /// key is all of it, and nothing has to be merged. `make` is called now, in this thread, with the number
    /// of each replica.
    ///
    /// Those items that the replicas emit at the end come in the order of the replicas. This order is the
    /// same in each run.
    ///
    /// ```
    /// use pipes_skeleton::{fold, from_iter};
    /// use std::collections::BTreeMap;
    ///
    /// let words = ["to", "be", "or", "not", "to", "be"];
    /// let mut counts = from_iter(words)
    ///     .keyed_gather(2, |word| *word, |_replica| {
    ///         fold(BTreeMap::new(), |mut counts, word| {
    ///             *counts.entry(word).or_insert(0) += 1;
    ///             counts
    ///         })
    ///     })
    ///     .flat_map(|counts| counts)
    ///     .collect()?;
    /// counts.sort();
    /// assert_eq!(counts, [("be", 2), ("not", 1), ("or", 1), ("to", 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// How evenly the work is distributed depends on the keys.
    pub fn keyed_gather<K, G>(
        self,
        replicas: usize,
        mut key: impl FnMut(&T) -> K + Send + 'static,
        make: impl FnMut(usize) -> G,
    ) -> Pipeline<G::Out>
    where
        K: Hash,
        G: Gather<T> + Send + 'static,
        G::Out: Send + 'static,
    {
        let scheduler = Box::new(move |item: &T, _| replica_of(key(item)));
        self.point_here().gathered_by(replicas, works(replicas, make), Some(scheduler))
    }

    /// Adds a stage that [`gather`](Pipeline::gather)s items into batches, for stages whose work on an item
    /// is small compared to the cost of sending it.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, from_iter};
    ///
    /// let sums = from_iter(1..=4)
    ///     .batched(&Batching::of(2))
    ///     .parallel(2, |batch| batch.iter().sum::<i32>());
    /// assert_eq!(sums.in_order().collect()?, [3, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batched(self, batching: &Batching) -> Pipeline<Vec<T>> {
        let mut batches = self.gather(batching.batcher());
        batches.plan.check(batching.is_possible(), BuildError::NoBatch);
        batches
    }
}

impl<T: Send + 'static> Pipeline<T> {
    /// Adds an ordered point with replicas, of which `replicas` were requested.
    fn gathered_by<U: Send + 'static>(
        self,
        replicas: usize,
        works: Vec<GatherWork<T, U>>,
        scheduler: Option<Scheduler<T>>,
    ) -> Pipeline<U> {
        let Pipeline { upstream, mut plan, .. } = self;
        let info = plan.add_stage(None, Runs::Threads(works.len()));
        plan.check(replicas > 0, BuildError::NoReplicas);
        plan.check(replicas <= MOST_REPLICAS, BuildError::TooManyReplicas);
        plan.end_region(Some(&info));
        let start = move |threads: &Threads, output: Output<U>| {
            let replicas = works.len();
            let router = scheduler.map(|scheduler| catching(scheduler, threads.clone(), info.name()));
            let distribution = Distribution { replicas, router };
            let inputs = upstream.gather_inputs(threads, threads.queue(&info), distribution);
            let outputs = SharedOutput::split(output, replicas);
            for ((mut work, mut input), output) in works.into_iter().zip(inputs).zip(outputs) {
                let (name, mut probe) = (info.name(), threads.probe(&info));
                threads.spawn(name.clone(), output, move |threads, output| {
                    work(threads, &name, &mut input, output, &mut probe)
                });
            }
        };
        Pipeline::new(Upstream::point(start), plan)
    }
}

/// Returns the loops of the replicas.
fn works<T, G>(replicas: usize, mut make: impl FnMut(usize) -> G) -> Vec<GatherWork<T, G::Out>>
where
    T: Send + 'static,
    G: Gather<T, Out: Send> + Send + 'static,
{
    let work = |mut gather: G| -> GatherWork<T, G::Out> {
        Box::new(move |threads, name, input, output, probe| {
            gathering::gather(threads, name, input, &mut gather, output, probe)
        })
    };
    (0..replicas.min(MOST_REPLICAS)).map(|replica| work(make(replica))).collect()
}
