//! The options that say how large a run is, and on how many workers.

use clap::{Args, ValueEnum};
use serde::Serialize;

use pipes_benches::options::up_to;

/// How large, and how many workers.
#[derive(Args, Debug, Serialize)]
pub struct Scale {
    /// How much there is to do
    #[arg(long, value_name = "CLASS", value_enum, default_value = "small")]
    pub class: Class,
    /// Workers of each stage that has several
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(256))]
    replicas: u64,
    /// Run our own pipeline once more before the race, and show what it does: live on a terminal, and a picture at the end
    #[arg(long)]
    #[serde(skip)]
    pub watch: bool,
}

impl Scale {
    /// A scale that no command line has asked for.
    #[cfg(test)]
    pub fn new(class: Class, replicas: u64) -> Scale {
        Scale { class, replicas, watch: false }
    }

    /// How many workers a stage has that has several.
    pub fn replicas(&self) -> usize {
        self.replicas as usize
    }
}

/// How much there is to do, with the time that the sequential program is meant to take.
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
    /// What belongs to this class, of a row with an entry for each.
    pub fn of<T: Copy>(self, row: [T; 5]) -> T {
        row[self as usize]
    }
}
