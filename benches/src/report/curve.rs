//! The speed-ups of all contenders over the sequential program, with several numbers of workers.

use pipes_charts::units::digits;
use pipes_charts::{Chart, Drawing, Line};

use super::units::rounds;
use super::{Plotter, Report, aligned, evidence, is_ours, json};
use crate::console::{note, print};
use crate::failure::Failure;

/// The contender that the others are compared with.
pub const REFERENCE: &str = "sequential";

/// The races with each number of workers.
#[derive(Debug)]
pub struct Curve {
    /// In the order of the numbers of workers.
    pub races: Vec<Report>,
}

impl Curve {
    /// The number of workers in this race.
    fn workers(race: &Report) -> u64 {
        race.params["workers"].as_u64().unwrap_or_default()
    }

    /// The contenders except the reference, the fastest of the last race first.
    fn contenders(&self) -> impl Iterator<Item = &'static str> {
        let last = self.races.last().into_iter().flat_map(|race| &race.times);
        last.map(|times| times.contender).filter(|contender| *contender != REFERENCE)
    }

    /// A contender's speed-up over the reference in each race, with the number of workers.
    fn speed_ups(&self, contender: &str) -> Vec<(u64, f64)> {
        let median = |race: &Report, name| {
            race.times.iter().find(|times| times.contender == name).map_or(f64::NAN, |times| times.median())
        };
        let point = |race| (Curve::workers(race), median(race, REFERENCE) / median(race, contender));
        self.races.iter().map(point).collect()
    }

    /// The command line that was measured.
    fn command(&self) -> String {
        self.races.last().map(|race| race.command_without("workers") + " --curve").unwrap_or_default()
    }

    /// What is shown, in a line.
    fn subject(&self) -> String {
        let count = self.races.iter().map(|race| race.rounds).min().unwrap_or_default();
        format!("speed-up over `{REFERENCE}`, medians of {}", rounds(count))
    }

    /// Prints the speed-ups, or all races as lines of JSON; and draws them if requested.
    pub fn publish(&self, as_json: bool, plotter: Option<Plotter<'_>>) -> Result<(), Failure> {
        let left_out = self.races.last().map(Report::who_is_left_out).unwrap_or_default();
        if as_json {
            note(&left_out);
            let lines = self.races.iter().map(json::lines).collect::<Result<String, _>>()?;
            print(&lines)?;
        } else {
            print(&format!("{}{left_out}\n", self.text()))?;
        }
        plotter.map_or(Ok(()), |plotter| plotter.draw(&self.chart()))
    }

    /// A line for each contender.
    fn chart(&self) -> Chart {
        let line = |name: &'static str| {
            let points = self.speed_ups(name).into_iter().filter(|(_, speed_up)| speed_up.is_finite());
            Line { name: name.to_owned(), ours: is_ours(name), points: points.collect() }
        };
        Chart {
            title: self.command(),
            explanation: self.subject(),
            drawing: Drawing::Lines(self.contenders().map(line).collect()),
        }
    }

    /// The table, below a line that states what was measured.
    fn text(&self) -> String {
        let heads = self.races.iter().map(|race| match Curve::workers(race) {
            1 => "1 worker".to_owned(),
            workers => format!("{workers} workers"),
        });
        let heads = ["contender".to_owned()].into_iter().chain(heads).collect();
        let rows = self.contenders().map(|contender| {
            let cells = self.speed_ups(contender).into_iter().map(|(_, speed_up)| digits(speed_up));
            [contender.to_owned()].into_iter().chain(cells).collect()
        });
        let rows: Vec<Vec<String>> = [heads].into_iter().chain(rows).collect();
        let evidence = evidence(&self.races);
        format!("{}: {}, {evidence}\n{}", self.command(), self.subject(), aligned(&rows))
    }
}
