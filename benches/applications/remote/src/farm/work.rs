//! How long an item takes.

use clap::ValueEnum;
use pipes_benches::work::{mix, steps_per_microsecond};
use serde::Serialize;

/// The work on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
pub enum Work {
    /// A few instructions
    #[value(name = "none")]
    #[serde(rename = "none")]
    None,
    /// A microsecond
    #[value(name = "1us")]
    #[serde(rename = "1us")]
    OneMicrosecond,
    /// Ten microseconds
    #[value(name = "10us")]
    #[serde(rename = "10us")]
    TenMicroseconds,
    /// A millisecond
    #[value(name = "1ms")]
    #[serde(rename = "1ms")]
    OneMillisecond,
}

impl Work {
    fn microseconds(self) -> u64 {
        match self {
            Work::None => 0,
            Work::OneMicrosecond => 1,
            Work::TenMicroseconds => 10,
            Work::OneMillisecond => 1000,
        }
    }

    /// Measures how many steps that is on this machine.
    pub fn steps(self) -> Steps {
        Steps((self.microseconds() as f64 * steps_per_microsecond()) as u64)
    }

    /// As many items as take about half a second of work, and as many as can be sent in such a time.
    pub fn items(self) -> u64 {
        match self {
            Work::None | Work::OneMicrosecond => 50_000,
            Work::TenMicroseconds => 30_000,
            Work::OneMillisecond => 1000,
        }
    }
}

/// The steps that are the work on an item: the same in each process.
#[derive(Clone, Copy, Debug)]
pub struct Steps(pub u64);

impl Steps {
    /// Works on an item.
    #[inline]
    pub fn on(self, number: u64) -> u64 {
        mix(number, self.0)
    }
}
