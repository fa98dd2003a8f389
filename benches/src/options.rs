//! The options that every program shares, and the parser of sizes.

use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::report::Plot;

/// The most messages that a run may send, for any program.
pub const MOST_MESSAGES: u64 = 10_000_000_000;

/// The most messages of a program that may have all of them in memory at once.
pub const MOST_QUEUED: u64 = 100_000_000;

/// The most threads that a run may start.
pub const MOST_THREADS: u64 = 10_000;

/// A parser of sizes from one to a limit; a larger size is probably a typing error.
pub fn up_to(most: u64) -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=most)
}

/// How a program is run and reported.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every program")]
pub struct RunOptions {
    /// Contenders to compare, or `all`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    pub contenders: Vec<String>,
    /// The number of rounds, and how they are printed.
    #[command(flatten)]
    pub rounds: Rounds,
    /// Draw the comparison to a file ending in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<Plot>,
    /// Also write the results to this file, as a table of comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

/// The options that make sense for several programs at once.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every program")]
pub struct Rounds {
    /// Timed rounds, in each of which every contender runs once [default: what fits in 12 s, from 3 to 9]
    #[arg(long, value_name = "N", value_parser = up_to(1000))]
    pub repeat: Option<u64>,
    /// Print one JSON object per contender, each on a line of its own, instead of a table
    #[arg(long)]
    pub json: bool,
}
