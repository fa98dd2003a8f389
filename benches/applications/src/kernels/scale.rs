//! The options that all kernels share: the number of workers, the number of passes, and the curve.

use clap::Args;
use serde::Serialize;

use pipes_benches::options::up_to;

/// The number of workers at each point of a curve.
const CURVE: [u64; 4] = [1, 2, 4, 8];

/// The number of workers and passes.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Scale {
    /// Workers, including the calling thread
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(256))]
    workers: u64,
    /// Passes over the data in a run, each of which ends before the next begins
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = up_to(1_000_000))]
    passes: u64,
    /// Compare with 1, 2, 4 and 8 workers, as speed-ups over the sequential program
    #[arg(long, conflicts_with = "workers")]
    #[serde(skip)]
    curve: bool,
}

impl Scale {
    /// The number of workers, including the calling thread.
    pub fn workers(&self) -> usize {
        self.workers as usize
    }

    /// The number of times all of the work is done in a run.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// The scales of the points of the curve, if requested.
    pub fn points(&self) -> impl Iterator<Item = Scale> {
        let workers: &[u64] = if self.curve { &CURVE } else { &[] };
        workers.iter().map(|&workers| Scale { workers, curve: false, ..self.clone() })
    }
}
