#![doc = include_str!("../docs/course.md")]
#![forbid(unsafe_code)]
#![warn(clippy::missing_panics_doc)]

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
mod sync;

#[doc = include_str!("../docs/comparing.md")]
pub mod comparing {}

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use self::data::divide::{Divided, divide_and_conquer};
pub use self::data::reduce::{map_reduce, reduce};
pub use self::data::slices::{map, map_in_place};
pub use self::describe::{
    Batching, Cancel, Explanation, ImpossibleRate, Items, LineChunk, Pace, Part, Pipeline, Place, PostError,
    Posted, Running, Whole, from_fn, from_iter, from_port, from_stream, line_chunks, lines, merge, posted,
    try_from_iter,
};
pub use self::failure::{BoxError, BuildError, Failure, FailureKind, Panic};
pub use self::gather::{Fold, Gather, fold};
pub use self::measure::histogram::Histogram;
pub use self::measure::metrics::Metrics;
pub use self::measure::report::{ReplicaReport, Report, StageReport};
pub use self::stage::{
    Fallible, Filter, FlatMap, Inspect, Processed, Stage, Then, fallible, filter, filter_map, flat_map,
    inspect,
};
