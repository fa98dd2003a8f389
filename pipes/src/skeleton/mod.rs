//! Skeletons: structured parallelism, for streams of items and for data that lies in memory.
//!
//! A *pipeline* is a row of stages, each at work on another item. A *farm* is a stage with several workers, its *replicas*. Both are
//! described stage by stage, so that the program reads like the picture, and run when they are given a sink:
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
//! | [`merge`] | several pipelines, each with a source of its own, as one |
//! | [`posted()`] | a running pipeline that is fed by hand: `post`, `try_post`, `post_timeout` |
//! | [`sequential`](Pipeline::sequential), [`stage`](Pipeline::stage) | a stage that works on one item after the other; with a state, if it has one |
//! | [`parallel`](Pipeline::parallel), [`parallel_with`](Pipeline::parallel_with) | a farm, each replica with a state of its own |
//! | [`ordered`](Pipeline::ordered), [`in_order`](Pipeline::in_order) | the order of the source, anywhere |
//! | [`filter`](Pipeline::filter), [`filter_map`](Pipeline::filter_map), [`flat_map`](Pipeline::flat_map), [`inspect`](Pipeline::inspect) | stages that drop, multiply, look; [as parts of a stage](Stage::then), too |
//! | [`try_sequential`](Pipeline::try_sequential), [`try_parallel`](Pipeline::try_parallel) | stages that may fail |
//! | [`keyed`](Pipeline::keyed), [`round_robin`](Pipeline::round_robin), [`scheduled_with`](Pipeline::scheduled_with) | farms where it matters who gets which item |
//! | [`concurrent`](Pipeline::concurrent) | an async stage, several items at a time |
//! | [`farm`](Pipeline::farm) | a farm whose replicas are pipelines |
//! | [`feedback`](Pipeline::feedback) | items that go back |
//! | [`batched`](Pipeline::batched), [`gather`](Pipeline::gather) | stages that put items together |
//! | [`paced`](Pipeline::paced) | items at a given rate |
//! | [`collect`](Pipeline::collect), [`for_each`](Pipeline::for_each), [`fold`](Pipeline::fold), [`reduce`](Pipeline::reduce) | sinks; they run in the thread that asks for them |
//! | [`into_iter`](Pipeline#method.into_iter), [`into_port`](Pipeline::into_port) | sinks that give what comes out to an iterator, or to a [`Port`](crate::Port) like any other |
//! | [`Metrics`] | what a pipeline does, measured while it runs, and a picture with its bottleneck |
//! | [`Cancel`] | an end from outside |
//! | [`ssp`] | the notation of Rust-SSP: `pipeline![parallel!(…), sequential_ordered!(…)]` |
//!
//! For data that lies in memory there are functions that borrow it, and whose threads have ended when they return:
//!
//! | function | what it does |
//! |---|---|
//! | [`map`], [`map_in_place`] | the same with each item of a slice |
//! | [`reduce()`], [`map_reduce`] | one of all items; one for each key |
//! | [`divide_and_conquer`] | a problem in parts, which have parts |
//!
//! # What it costs
//!
//! Every source and sequential stage is a thread, and every replica; a sink is the thread that asks for it. To hand an item over takes some
//! tens of nanoseconds where items come one after the other. Where several items wait, a
//! replica takes a run of them at once, which others may take over; a lone item is handed on at once, and nothing that is finished
//! ever waits for code of yours. Idle stages sleep. Where an item is work for less than a microsecond, send [batches](Batching).
//!
//! # How it ends
//!
//! With its source; or with the first [`Failure`]: a stage, source or sink that panics or returns an error, named, or a cancellation. Then
//! all other stages stop, items on their way are dropped, and the failure reaches the caller, who never waits longer than a second for a
//! stage that does not come back from code of yours (it is named, and ends when it does).

mod batch;
mod cancel;
mod concurrent;
mod data;
mod failure;
mod gather;
mod items;
mod measure;
mod nested;
mod pace;
mod pipeline;
mod plan;
mod posted;
mod rate;
mod run;
mod running;
mod schedule;
mod sink;
mod source;
pub mod ssp;
mod stage;

pub use self::batch::Batching;
pub use self::cancel::Cancel;
pub use self::data::divide::{Divided, divide_and_conquer};
pub use self::data::reduce::{map_reduce, reduce};
pub use self::data::slices::{map, map_in_place};
pub use self::failure::{BoxError, BuildError, Cause, Failure, Panic};
pub use self::gather::Gather;
pub use self::items::Items;
pub use self::measure::histogram::Histogram;
pub use self::measure::metrics::Metrics;
pub use self::measure::process::Usage;
pub use self::measure::report::{ReplicaReport, Report, StageReport};
pub use self::pace::Pace;
pub use self::pipeline::Pipeline;
pub use self::posted::{PostError, Posted, posted};
pub use self::rate::{ImpossibleRate, Rate, Swing};
pub use self::running::Running;
pub use self::source::{from_fn, from_iter, from_port, merge, try_from_iter};
pub use self::stage::{
    Fallible, Filter, FlatMap, Inspect, Processed, Stage, Then, fallible, filter, filter_map, flat_map,
    inspect,
};
