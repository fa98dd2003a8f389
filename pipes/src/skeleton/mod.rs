//! Stream skeletons: structured parallelism on typed pipes.

mod batch;
mod cancel;
mod crew;
mod envelope;
mod failure;
mod front;
mod gather;
mod items;
mod lane;
mod nested;
mod origin;
mod outlet;
mod pace;
mod pipeline;
mod places;
mod plan;
mod posted;
mod rate;
mod recv;
mod running;
mod schedule;
mod sink;
mod source;
pub mod ssp;
mod stage;
mod supply;
mod work;

pub use self::batch::Batching;
pub use self::cancel::Cancel;
pub use self::failure::{BoxError, BuildError, Cause, Failure, Panic};
pub use self::gather::Gather;
pub use self::items::Items;
pub use self::pace::Pace;
pub use self::pipeline::Pipeline;
pub use self::posted::{PostError, Posted, posted};
pub use self::rate::{ImpossibleRate, Rate, Swing};
pub use self::running::Running;
pub use self::source::{from_fn, from_iter, from_port, merge, try_from_iter};
pub use self::stage::{
    Fallible, Filter, FlatMap, Inspect, Stage, Then, fallible, filter, filter_map, flat_map, inspect,
};
