#![doc = include_str!("../../docs/farms.md")]

mod error;
mod item;
mod pool;
mod protocol;
mod report;
mod worker;
mod workers;

pub use self::error::{FarmError, WorkerError};
pub use self::report::{FarmReport, WorkerReport};
pub use self::worker::{try_worker, worker};
pub use self::workers::{PipelineExt, Workers};
