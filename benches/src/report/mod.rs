//! The results of a race as a table, as lines of JSON, and as a chart.

mod columns;
mod csv;
mod curve;
mod experiment;
mod figures;
mod json;
mod plot;
mod table;
mod units;

use pipes_charts::units::grouped;
use pipes_charts::{Bar, Chart, Drawing};
use serde_json::Value;

pub use columns::aligned;
pub use csv::Csv;
pub use curve::{Curve, REFERENCE};
pub use experiment::Outcome;
pub use plot::{Plot, Plotter};
pub use units::time;

use units::rounds;

use crate::console::{note, print};
use crate::failure::Failure;
use crate::harness::{Column, Placements, Times};

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
    /// Where the processors were; nothing if only one was used.
    pub placements: Option<Placements>,
    /// The first of our own contenders that took part, if any did.
    pub ours: Option<&'static str>,
    /// Each contender's times, fastest median first.
    pub times: Vec<Times>,
    /// The figures that are columns of the table.
    pub columns: &'static [Column],
    /// Whether the table is followed by the other figures of every contender, and not only of the one that
    /// others are compared with.
    pub all_figures: bool,
    /// Contenders that did not take part, and why.
    pub left_out: Vec<(&'static str, String)>,
}

/// That the results of these races are verified, and where the processors were. The end of a heading.
fn evidence<'a>(races: impl IntoIterator<Item = &'a Report>) -> String {
    let placements = races.into_iter().filter_map(|race| race.placements).reduce(Placements::and);
    let words = placements.map(|placements| format!(", processors {}", placements.words()));
    format!("all verified{}", words.unwrap_or_default())
}

/// Returns `true` if this contender is one of ours, which are called `pipes`, or `pipes-` followed by what is
/// special about them.
pub fn is_ours(contender: &str) -> bool {
    contender.split('-').next() == Some("pipes")
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

    /// The command line that was measured, without this option as well.
    fn command_without(&self, option: &str) -> String {
        let mut command = self.program.to_owned();
        let params = self.params.as_object().into_iter().flatten();
        for (name, value) in params.filter(|(name, _)| *name != option) {
            command += &match value {
                Value::Bool(false) => String::new(),
                Value::Bool(true) => format!(" --{name}"),
                Value::String(text) => format!(" --{name} {text}"),
                value => format!(" --{name} {value}"),
            };
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

    /// Prints the results, and draws them if requested, unless `chart` is to be drawn instead.
    pub fn publish(
        &self,
        as_json: bool,
        plotter: Option<Plotter<'_>>,
        chart: Option<Chart>,
    ) -> Result<(), Failure> {
        let left_out = self.who_is_left_out();
        if as_json {
            note(&left_out);
            print(&json::lines(self)?)?;
        } else {
            print(&format!("{}{left_out}\n{}", table::text(self), figures::text(self)))?;
        }
        let chart = || chart.map_or_else(|| self.chart(), |chart| Chart { title: self.command(), ..chart });
        plotter.map_or(Ok(()), |plotter| plotter.draw(&chart()))
    }

    /// A bar for each contender.
    fn chart(&self) -> Chart {
        let bar = |times: &Times| Bar {
            name: times.contender.to_owned(),
            ours: is_ours(times.contender),
            min: self.ns_per_op(times.min()),
            median: self.ns_per_op(times.median()),
            max: self.ns_per_op(times.max()),
        };
        let (ops, count) = (grouped(self.ops), rounds(self.rounds));
        Chart {
            title: self.command(),
            explanation: format!("{ops} {}, median of {count}, whiskers from shortest to longest", self.unit),
            drawing: Drawing::Bars(self.times.iter().map(bar).collect()),
        }
    }
}
