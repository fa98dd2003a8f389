//! Skeletons: structured parallelism.
//!
//! For streams of items there are pipelines on typed pipes ([`Pipeline`]). For data that lies in memory there are functions that borrow it,
//! and have ended their threads when they return: [`map`], [`map_in_place`], [`reduce`] and [`map_reduce`] for slices,
//! [`divide_and_conquer`] for problems in parts.

mod cancel;
mod crew;
mod divide;
mod envelope;
mod failure;
mod front;
mod items;
mod join;
mod lane;
mod nested;
mod origin;
mod outlet;
mod pipeline;
mod places;
mod plan;
mod pool;
mod posted;
mod recv;
mod reduce;
mod running;
mod schedule;
mod shares;
mod sink;
mod slices;
mod source;
pub mod ssp;
mod stage;
mod supply;
mod team;
mod tree;
mod work;

pub use self::cancel::Cancel;
pub use self::divide::{Divided, divide_and_conquer};
pub use self::failure::{BoxError, BuildError, Cause, Failure};
pub use self::items::Items;
pub use self::pipeline::Pipeline;
pub use self::posted::{PostError, Posted, posted};
pub use self::reduce::{map_reduce, reduce};
pub use self::running::Running;
pub use self::slices::{map, map_in_place};
pub use self::source::{from_fn, from_iter, from_port, merge, try_from_iter};
pub use self::stage::{
    Fallible, Filter, FlatMap, Inspect, Stage, Then, fallible, filter, filter_map, flat_map, inspect,
};
