//! The options that all kernels have: how many workers, how many passes, and the curve.

use clap::Args;
use serde::Serialize;

use pipes_benches::options::up_to;

/// How many workers there are in each point of a curve.
const CURVE: [u64; 4] = [1, 2, 4, 8];

/// How many workers make how many passes.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Scale {
    /// Workers, the calling thread among them
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
    /// How many workers there are, with the calling thread.
    pub fn workers(&self) -> usize {
        self.workers as usize
    }

    /// How often all of the work is done in a run.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// The scales of the points of the curve, if one is asked for.
    pub fn points(&self) -> impl Iterator<Item = Scale> {
        let workers: &[u64] = if self.curve { &CURVE } else { &[] };
        workers.iter().map(|&workers| Scale { workers, curve: false, ..self.clone() })
    }
}
