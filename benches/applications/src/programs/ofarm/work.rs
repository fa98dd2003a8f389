//! The work on an item, its duration, and its result.

use clap::ValueEnum;
use serde::Serialize;

use pipes_benches::work::{mix, steps_per_microsecond};

/// The work on the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
pub enum Kind {
    /// A few instructions.
    #[value(name = "trivial")]
    #[serde(rename = "trivial")]
    Trivial,
    /// A microsecond.
    #[value(name = "1us")]
    #[serde(rename = "1us")]
    OneMicrosecond,
    /// Ten microseconds.
    #[value(name = "10us")]
    #[serde(rename = "10us")]
    TenMicroseconds,
    /// A microsecond, and 64 of them for every 64th item.
    #[value(name = "skewed")]
    #[serde(rename = "skewed")]
    Skewed,
}

/// With skewed work, one item in this many takes this many times as long.
const SKEW: u64 = 64;

/// The work on an item, which can be done on any thread.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    steps: u64,
    /// An item whose number is divisible by this takes [`SKEW`] times as long.
    heavy: u64,
}

impl Work {
    /// Work that takes the specified time on this machine.
    pub fn new(kind: Kind) -> Work {
        let microseconds = match kind {
            Kind::Trivial => 0.0,
            Kind::OneMicrosecond | Kind::Skewed => 1.0,
            Kind::TenMicroseconds => 10.0,
        };
        let heavy = if kind == Kind::Skewed { SKEW } else { u64::MAX };
        Work { steps: (microseconds * steps_per_microsecond()) as u64, heavy }
    }

    /// Works on item `number`, and returns the result.
    #[inline]
    pub fn on(self, number: u64) -> u64 {
        let heavy = number % self.heavy == self.heavy - 1;
        let steps = if heavy { self.steps * SKEW } else { self.steps };
        mix(number, steps)
    }
}
