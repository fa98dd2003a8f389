//! The results of a race as a table, as lines of JSON, and as a chart.

mod bars;
mod chart;
mod columns;
mod curve;
mod figures;
mod json;
mod lines;
mod table;
mod units;

use std::io::{self, Write};

use serde_json::Value;

pub use chart::{Chart, is_ours};
pub use columns::aligned;
pub use curve::{Curve, REFERENCE};

use crate::failure::Failure;
use crate::harness::Times;
use crate::options::RunOptions;

/// The results of a race.
#[derive(Debug)]
pub struct Report {
    /// The program's name.
    pub program: &'static str,
    /// What one op is called, in the plural.
    pub unit: &'static str,
    /// The program's options.
    pub params: Value,
    /// Ops in one run.
    pub ops: u64,
    /// Timed rounds.
    pub rounds: u64,
    /// The first of our own contenders that took part, if any did.
    pub ours: Option<&'static str>,
    /// Each contender's times, fastest median first.
    pub times: Vec<Times>,
    /// Whether the table is followed by the figures of every contender, and not only of the one that others are compared with.
    pub all_figures: bool,
    /// Contenders that did not take part, and why.
    pub left_out: Vec<(&'static str, String)>,
}

impl Report {
    /// Nanoseconds per op, of a time for all of them.
    fn ns_per_op(&self, seconds: f64) -> f64 {
        seconds * 1e9 / self.ops as f64
    }

    /// The contender that the ratios refer to: ours if it takes part, otherwise the fastest.
    fn reference(&self) -> &Times {
        self.times.iter().find(|times| Some(times.contender) == self.ours).unwrap_or(&self.times[0])
    }

    /// The command line that was measured, without the options that were not used.
    fn command(&self) -> String {
        self.command_without("")
    }

    /// The same without one more option.
    fn command_without(&self, option: &str) -> String {
        let mut command = self.program.to_owned();
        let params = self.params.as_object().into_iter().flatten();
        for (name, value) in params.filter(|(name, _)| *name != option) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            command += &format!(" --{name} {value}");
        }
        command
    }

    /// A line for each contender that did not take part.
    fn who_is_left_out(&self) -> String {
        let line = |(contender, reason): &(&str, String)| {
            format!("left out of {}: {contender} ({reason})\n", self.program)
        };
        self.left_out.iter().map(line).collect()
    }

    /// Prints the results, and draws them if requested.
    pub fn publish(&self, options: &RunOptions) -> Result<(), Failure> {
        let left_out = self.who_is_left_out();
        if options.rounds.json {
            note(&left_out);
            print(&json::lines(self)?)?;
        } else {
            print(&format!("{}{left_out}\n{}", table::text(self), figures::text(self)))?;
        }
        options.plot.as_ref().map_or(Ok(()), |chart| chart.draw(self))
    }
}

/// Writes to stderr, and ignores errors, as when it has been closed.
pub fn note(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to stdout; a reader that closes early, such as `head`, is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::io("the results could not be printed", &error))
        }
        _ => Ok(()),
    }
}
