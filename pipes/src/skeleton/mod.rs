//! Skeletons: structured parallelism, for streams of items and for data that lies in memory.
//!
//! A *pipeline* is a sequence of stages that work on different items at the same time. A *farm* is a stage
//! with several workers, its *replicas*. You describe both stage by stage; they run when you add a sink:
//!
//! ```
//! use pipes::skeleton::from_iter;
//!
//! //   numbers ──► square ──┬─► heavy ─┬──► (in order) ──► sum
//! //                        └─► heavy ─┘
//! let sum = from_iter(1..=100_u64)
//!     .sequential(|number| number * number)
//!     .parallel(2, |square| square % 7)
//!     .in_order()
//!     .fold(0, |sum, rest| sum + rest);
//! assert_eq!(sum.expect("no stage fails"), 201);
//! ```
//!
//! # The parts
//!
//! | part | what it does |
//! |---|---|
//! | [`from_iter`], [`try_from_iter`], [`from_fn`], [`from_port`] | sources |
//! | [`merge`] | combines several pipelines, each with its own source |
//! | [`posted()`] | a running pipeline that is fed by hand: `post`, `try_post`, `post_timeout` |
//! | [`sequential`](Pipeline::sequential), [`stage`](Pipeline::stage) | a stage that processes one item at a time; it may have a state |
//! | [`parallel`](Pipeline::parallel), [`parallel_with`](Pipeline::parallel_with) | a farm; each replica has its own state |
//! | [`ordered`](Pipeline::ordered), [`in_order`](Pipeline::in_order) | restore the order of the source |
//! | [`filter`](Pipeline::filter), [`filter_map`](Pipeline::filter_map), [`flat_map`](Pipeline::flat_map), [`inspect`](Pipeline::inspect) | stages that drop, multiply, look; [as parts of a stage](Stage::then), too |
//! | [`try_sequential`](Pipeline::try_sequential), [`try_parallel`](Pipeline::try_parallel) | stages that may fail |
//! | [`keyed`](Pipeline::keyed), [`round_robin`](Pipeline::round_robin), [`scheduled_with`](Pipeline::scheduled_with) | farms in which you choose the replica for each item |
//! | [`concurrent`](Pipeline::concurrent), [`try_concurrent`](Pipeline::try_concurrent) | an async stage, several items at a time |
//! | [`farm`](Pipeline::farm) | a farm whose replicas are pipelines |
//! | [`feedback`](Pipeline::feedback) | sends items back to an earlier stage |
//! | [`batched`](Pipeline::batched), [`gather`](Pipeline::gather) | stages that combine items |
//! | [`paced`](Pipeline::paced) | items at a given rate |
//! | [`collect`](Pipeline::collect), [`for_each`](Pipeline::for_each), [`fold`](Pipeline::fold), [`reduce`](Pipeline::reduce) | sinks; they run in the calling thread |
//! | [`into_iter`](Pipeline#method.into_iter), [`into_port`](Pipeline::into_port) | sinks that make the results an iterator, or a [`Port`](crate::Port) |
//! | [`Metrics`] | measurements of a running pipeline, and a picture with its bottleneck |
//! | [`Cancel`] | ends a pipeline from outside |
//! | [`ssp`] | the notation of Rust-SSP: `pipeline![parallel!(…), sequential_ordered!(…)]` |
//!
//! For data in memory there are functions that borrow it; their threads have ended when they return:
//!
//! | function | what it does |
//! |---|---|
//! | [`map`], [`map_in_place`] | apply a function to each item of a slice |
//! | [`reduce()`], [`map_reduce`] | combine all items into one, or into one for each key |
//! | [`divide_and_conquer`] | solves a problem by dividing it |
//!
//! # What it costs
//!
//! Every source, sequential stage and replica is a thread; a sink runs in the calling thread. Handing over an
//! item takes some tens of nanoseconds when items follow each other closely. If several items wait, a replica
//! takes a run of them at once, which idle replicas can take over. A single item is handed over at once, and
//! finished items never wait for your code. Idle stages sleep. If the work on an item takes less than a
//! microsecond, send [batches](Batching).
//!
//! # How it ends
//!
//! A pipeline ends when its source does, or with the first [`Failure`]: a stage, source or sink that panics
//! or returns an error, or a cancellation. Then all other stages stop, items in the pipeline are dropped, and
//! the failure, with the name of the stage, is returned to the caller. The caller waits at most one second
//! for a stage that does not return from your code; the failure names such a stage, which ends when your code
//! returns.

// First, so that the page of a pipeline begins with its stages.
mod describe;

mod data;
mod envelope;
mod failure;
mod gather;
mod measure;
mod run;
pub mod ssp;
mod stage;

pub use self::data::divide::{Divided, divide_and_conquer};
pub use self::data::reduce::{map_reduce, reduce};
pub use self::data::slices::{map, map_in_place};
pub use self::describe::{
    Batching, Cancel, ImpossibleRate, Items, Pace, Pipeline, PostError, Posted, Rate, Running, Swing,
    from_fn, from_iter, from_port, merge, posted, try_from_iter,
};
pub use self::failure::{BoxError, BuildError, Cause, Failure, Panic};
pub use self::gather::Gather;
pub use self::measure::histogram::Histogram;
pub use self::measure::metrics::Metrics;
pub use self::measure::process::Usage;
pub use self::measure::report::{ReplicaReport, Report, StageReport};
pub use self::stage::{
    Fallible, Filter, FlatMap, Inspect, Processed, Stage, Then, fallible, filter, filter_map, flat_map,
    inspect,
};
