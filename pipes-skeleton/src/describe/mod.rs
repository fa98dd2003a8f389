//! The description of a pipeline: its sources, stages and sinks, and their settings. A description starts
//! nothing. A sink runs it, as [`run`](super::run) says.

// First, so that the page of a pipeline begins with its stages.
mod pipeline;

mod adapters;
mod batch;
mod cancel;
mod concurrent;
mod explain;
mod files;
mod gathering;
mod items;
mod nested;
mod pace;
mod place;
mod plan;
mod posted;
mod readers;
mod running;
mod schedule;
mod setting;
mod sink;
mod source;

pub use self::batch::Batching;
pub use self::cancel::Cancel;
pub use self::explain::Explanation;
pub use self::items::Items;
pub use self::pace::{ImpossibleRate, Pace};
pub use self::pipeline::Pipeline;
pub use self::place::{Part, Place, Whole};
pub use self::posted::{PostError, Posted, posted};
pub use self::readers::{LineChunk, line_chunks, lines};
pub use self::running::Running;
pub use self::source::{from_fn, from_iter, from_port, from_stream, merge, try_from_iter};
