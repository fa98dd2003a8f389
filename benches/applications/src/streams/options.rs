//! The options of how items travel, which all programs with a flow have.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::Steps;
use super::source::Timing;
use pipes_benches::options::up_to;

/// The batches in which items travel.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub struct Travel {
    /// Items per batch; `a:b` or `a:step:b` is a sweep [default: 1, or any number with --batch-interval]
    #[arg(long, value_name = "N", value_parser = Steps::up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<Steps>,
    /// Milliseconds after which an incomplete batch leaves the source
    #[arg(long, value_name = "MS", value_parser = up_to(3_600_000))]
    #[serde(skip_serializing_if = "Option::is_none", rename = "batch-interval")]
    pub batch_interval: Option<u64>,
}

impl Travel {
    /// Returns these options with batches of this size.
    pub fn with(&self, batch: u64) -> Travel {
        Travel { batch: Some(Steps::one(batch)), ..self.clone() }
    }

    /// When items leave the source.
    pub fn timing(&self) -> Timing {
        let interval = self.batch_interval.map(Duration::from_millis);
        let any = if interval.is_some() { usize::MAX } else { 1 };
        let batch = self.batch.as_ref().map_or(any, |batch| batch.first() as usize);
        Timing { rate: None, batch, interval }
    }
}
