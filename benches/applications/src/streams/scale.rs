//! The options for the size of a run and its number of workers.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Steps;

/// The size, and the number of workers.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Scale {
    /// Amount of work
    #[arg(long, value_name = "CLASS", value_enum, default_value = "small")]
    pub class: Class,
    /// Workers of each replicated stage; `a:b` or `a:step:b` is a sweep
    #[arg(long, value_name = "N", default_value = "2", value_parser = Steps::up_to(256))]
    pub replicas: Steps,
    /// Run our own pipeline once more before the race, and show what it does: live on a terminal, and as a
    /// picture at the end
    #[arg(long)]
    #[serde(skip)]
    pub watch: bool,
}

impl Scale {
    /// A scale that was not set on the command line.
    #[cfg(test)]
    pub fn new(class: Class, replicas: u64) -> Scale {
        Scale { class, replicas: Steps::one(replicas), watch: false }
    }

    /// Returns this scale with this number of workers.
    pub fn with(&self, replicas: u64) -> Scale {
        Scale { replicas: Steps::one(replicas), ..self.clone() }
    }

    /// The number of workers of a replicated stage.
    pub fn replicas(&self) -> usize {
        self.replicas.first() as usize
    }
}

/// The amount of work, with the intended time of the sequential program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// 0.05 s.
    Test,
    /// 0.5 s.
    Small,
    /// 5 s.
    Medium,
    /// 30 s.
    Large,
    /// 100 s.
    Huge,
}

impl Class {
    /// The entry for this class in an array with one entry per class.
    pub fn of<T: Copy>(self, row: [T; 5]) -> T {
        row[self as usize]
    }

    /// The number of items that take some nanoseconds each. It grows with the class, but does not take the
    /// intended time, because the hand-overs take longer than the sequential program.
    pub fn trivial_items(self) -> u64 {
        self.of([100_000, 1_000_000, 10_000_000, 60_000_000, 200_000_000])
    }
}
