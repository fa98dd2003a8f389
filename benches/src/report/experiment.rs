//! The results of an experiment: all figures of each contender, for each value of an option.

use pipes_charts::units::digits;
use pipes_charts::{Bar, Chart, Curve, Drawing, Panel};
use serde_json::{Map, Value};

use super::units::{rate, rounds, time};
use super::{Plotter, Report, aligned, evidence, is_ours, json};
use crate::console::{note, print};
use crate::failure::Failure;
use crate::harness::Times;

/// The races of an experiment.
#[derive(Debug)]
pub struct Outcome {
    /// The option that varies.
    pub option: &'static str,
    /// The figure that is drawn below the rate, and what it is called.
    pub drawn: (&'static str, &'static str),
    /// Each value of the option, and the race with it. At least one.
    pub races: Vec<(String, Report)>,
}

/// The place of a row: the value, the race and the contender.
type Row<'a> = (&'a str, &'a Report, &'a Times);

impl Outcome {
    /// All races.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        self.races.iter().map(|(_, report)| report)
    }

    /// Prints the table, or all races as lines of JSON; and draws them if requested, unless `chart` is to be
    /// drawn instead.
    pub fn publish(
        &self,
        as_json: bool,
        plotter: Option<Plotter<'_>>,
        chart: Option<Chart>,
    ) -> Result<(), Failure> {
        let mut left_out: Vec<_> = self.reports().map(Report::who_is_left_out).collect();
        left_out.dedup();
        let left_out = left_out.concat();
        if as_json {
            note(&left_out);
            print(&self.reports().map(json::lines).collect::<Result<String, _>>()?)?;
        } else {
            print(&format!("{}{left_out}\n{}", self.table(), self.inner_tables()))?;
        }
        plotter.map_or(Ok(()), |plotter| plotter.draw(&self.titled(chart)))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.races
            .iter()
            .flat_map(|(value, race)| race.times.iter().map(move |times| (value.as_str(), race, times)))
    }

    /// What was measured, in a line.
    fn heading(&self) -> String {
        let (_, first) = &self.races[0];
        let values: Vec<_> = self.races.iter().map(|(value, _)| value.as_str()).collect();
        let count = self.reports().map(|race| race.rounds).min().unwrap_or_default();
        let (command, option) = (first.command_without(self.option), self.option);
        let evidence = evidence(self.reports());
        format!("{command} --{option} {}: {}, {evidence}", values.join(", "), rounds(count))
    }

    /// A row for each value and contender.
    fn table(&self) -> String {
        let names = self.names(|value| !value.is_object() && !is_text(value));
        let heads = [self.option, "contender", "median", "mean", "deviation", "95 %"].map(str::to_owned);
        let rate_of = format!("{}/s", self.races[0].1.unit);
        let heads = heads.into_iter().chain([rate_of, "ratio".to_owned()]).chain(names.iter().cloned());
        let mut rows = vec![heads.collect::<Vec<_>>()];
        for (value, race, times) in self.rows() {
            let spread =
                |seconds: Option<f64>| seconds.map_or("-".to_owned(), |it| format!("± {}", time(it)));
            let mut row = vec![
                value.to_string(),
                times.contender.to_owned(),
                time(times.median()),
                time(times.mean()),
                spread(times.deviation()),
                spread(times.confidence()),
                rate(race.ops as f64 / times.median()),
                format!("{:.2}", times.median() / race.reference().median()),
            ];
            row.extend(names.iter().map(|name| cell(times.figures().get(name))));
            rows.push(row);
        }
        format!("{}\n{}", self.heading(), aligned(&rows))
    }

    /// For each figure that has parts, a table of them.
    fn inner_tables(&self) -> String {
        let mut text = String::new();
        for figure in self.names(Value::is_object) {
            let inner = |times: &Times| times.figures().get(&figure).and_then(Value::as_object).cloned();
            let mut rows: Vec<Vec<String>> = Vec::new();
            for (value, _, times) in self.rows() {
                for (name, part) in inner(times).unwrap_or_default() {
                    let part = part.as_object().cloned().unwrap_or_default();
                    if rows.is_empty() {
                        let heads = [self.option, "contender", figure.as_str()].map(str::to_owned);
                        rows.push(heads.into_iter().chain(part.keys().cloned()).collect());
                    }
                    let begin = [value.to_string(), times.contender.to_owned(), name];
                    rows.push(begin.into_iter().chain(part.values().map(|it| cell(Some(it)))).collect());
                }
            }
            text += &format!("{}\n", aligned(&rows));
        }
        text
    }

    /// The names of all figures with such values, in the order in which they come.
    fn names(&self, has: impl Fn(&Value) -> bool) -> Vec<String> {
        let mut all = Map::new();
        for (_, _, times) in self.rows() {
            let figures = times.figures().iter().filter(|(_, value)| has(value));
            all.extend(figures.map(|(name, _)| (name.clone(), Value::Null)));
        }
        all.into_iter().map(|(name, _)| name).collect()
    }

    /// This chart, or that of the results, below the command line that was measured.
    fn titled(&self, chart: Option<Chart>) -> Chart {
        let (_, first) = &self.races[0];
        let option = if self.races.len() > 1 { self.option } else { "" };
        Chart { title: first.command_without(option), ..chart.unwrap_or_else(|| self.chart()) }
    }

    /// The rate and the drawn figure, if there is one, over the values, with a line for each contender; or
    /// bars, if the values are no numbers, or there is only one.
    fn chart(&self) -> Chart {
        let count = self.reports().map(|race| race.rounds).min().unwrap_or_default();
        let are_numbers = self.races.iter().all(|(value, _)| value.parse::<f64>().is_ok());
        let drawing = if are_numbers && self.races.len() > 1 {
            Drawing::Panels(self.panels())
        } else {
            Drawing::Bars(self.bars())
        };
        Chart { title: String::new(), explanation: format!("medians of {}", rounds(count)), drawing }
    }

    fn bars(&self) -> Vec<Bar> {
        let bar = |(value, race, times): Row<'_>| Bar {
            name: if self.races.len() == 1 {
                times.contender.to_owned()
            } else {
                format!("{} {value}", times.contender)
            },
            ours: is_ours(times.contender),
            min: race.ns_per_op(times.min()),
            median: race.ns_per_op(times.median()),
            max: race.ns_per_op(times.max()),
        };
        let mut bars: Vec<_> = self.rows().map(bar).collect();
        bars.sort_by(|one, other| one.median.total_cmp(&other.median));
        bars
    }

    fn panels(&self) -> Vec<Panel> {
        let mut contenders: Vec<&'static str> = Vec::new();
        for (_, _, times) in self.rows() {
            if !contenders.contains(&times.contender) {
                contenders.push(times.contender);
            }
        }
        let (figure, label) = self.drawn;
        let panel = |label: &str, of: &dyn Fn(Row<'_>) -> Option<f64>| Panel {
            across: self.option.to_owned(),
            up: label.to_owned(),
            curves: contenders
                .iter()
                .map(|name| Curve {
                    name: (*name).to_owned(),
                    ours: is_ours(name),
                    points: self
                        .rows()
                        .filter(|(_, _, times)| times.contender == *name)
                        .filter_map(|row| Some((row.0.parse().ok()?, of(row)?)))
                        .collect(),
                })
                .collect(),
        };
        let per_second = |(_, race, times): Row<'_>| Some(race.ops as f64 / times.median());
        let drawn = |(_, _, times): Row<'_>| times.figures().get(figure)?.as_f64();
        let unit = self.races[0].1.unit;
        let mut panels = vec![panel(&format!("{unit} a second"), &per_second), panel(label, &drawn)];
        panels.retain(|panel| panel.curves.iter().any(|curve| !curve.points.is_empty()));
        panels
    }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains('\n'))
}

/// A figure in the table.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "-".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => match value.as_f64() {
            Some(number) if value.is_f64() => digits(number),
            _ => value.to_string(),
        },
    }
}
