//! The options of experiments: what is measured besides the time, and at which frequency items come.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Steps;
use super::rate::{Rate, Swing};
use pipes_benches::files::Part;
use pipes_benches::options::up_to;

/// The highest frequency, in items a second.
const FASTEST: u64 = 1_000_000_000;

/// The share of the capacity that a pattern reaches at most and at least, if nothing else was said: the rule
/// of the experiments with SPBench.
const MOST: f64 = 1.1;
const LEAST: f64 = 0.1;

/// What is measured, and at which frequency.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub struct Trial {
    /// Also measure latencies, processor time and memory, and the time in each stage, of every contender
    #[arg(long)]
    #[serde(skip)]
    metrics: bool,
    /// Items a second that the source yields; `a:b` or `a:step:b` is a sweep [default with
    /// --frequency-pattern: 110 % of what our own pipeline can do]
    #[arg(long, value_name = "N", value_parser = Steps::up_to(FASTEST))]
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency: Option<Steps>,
    /// The frequency as a share of what our own pipeline can do, in percent
    #[arg(long, value_name = "PERCENT", value_parser = up_to(1000), conflicts_with = "frequency")]
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<u64>,
    /// How the frequency changes, up to --frequency
    #[arg(long, value_name = "PATTERN", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none", rename = "frequency-pattern")]
    frequency_pattern: Option<Pattern>,
    /// The lowest frequency of a pattern [default: an eleventh of the highest]
    #[arg(long, value_name = "N", value_parser = up_to(FASTEST))]
    #[serde(skip_serializing_if = "Option::is_none")]
    lowest: Option<u64>,
    /// Milliseconds after which a pattern repeats itself, or has risen or fallen [default: a third of the
    /// run, or all of it]
    #[arg(long, value_name = "MS", value_parser = up_to(86_400_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<u64>,
    /// Write what happens during the runs to this file, as comma-separated values
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub monitor: Option<PathBuf>,
    /// Milliseconds between two lines of the monitor [default: 250]
    #[arg(long, value_name = "MS", value_parser = up_to(3_600_000))]
    #[serde(skip)]
    every: Option<u64>,
}

/// How a frequency changes: the patterns of SPBench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// Not at all.
    Constant,
    /// Up and down, like a sine.
    Wave,
    /// The lowest and the highest, in turn.
    Binary,
    /// The lowest, and at the end of each period a short rise to the highest.
    Spike,
    /// From the lowest to the highest.
    Rising,
    /// From the highest to the lowest.
    Falling,
}

/// The part of a period, in percent, in which a spike rises.
const SPIKE: f64 = 10.0;

impl Trial {
    /// Returns `true` if anything is measured besides the time.
    pub fn is_on(&self) -> bool {
        self.metrics || self.is_paced() || self.monitor.is_some()
    }

    /// Returns `true` if the frequency is limited.
    pub fn is_paced(&self) -> bool {
        self.frequency.is_some() || self.load.is_some() || self.frequency_pattern.is_some()
    }

    /// The frequencies to be tried.
    pub fn frequencies(&self) -> Option<&Steps> {
        self.frequency.as_ref()
    }

    /// Returns this trial with one frequency.
    pub fn at(&self, frequency: u64) -> Trial {
        Trial { frequency: Some(Steps::one(frequency)), ..self.clone() }
    }

    /// The time between two samples, if there are to be any.
    pub fn every(&self) -> Option<Duration> {
        let every = Duration::from_millis(self.every.unwrap_or(250));
        (self.monitor.is_some() || self.is_paced()).then_some(every)
    }

    /// Fails if the monitor's file cannot be written. To be called before anything runs.
    pub fn prepare(&self) -> io::Result<()> {
        self.monitor.as_ref().map_or(Ok(()), |path| Part::beside(path).map(drop))
    }

    /// Describes what is wrong with this combination of options, if anything.
    pub fn check(&self) -> Result<(), String> {
        let changes = self.frequency_pattern.is_some_and(|pattern| pattern != Pattern::Constant);
        if !changes && (self.lowest.is_some() || self.period.is_some()) {
            return Err("--lowest and --period need a --frequency-pattern that changes".to_owned());
        }
        if self.every.is_some() && self.every().is_none() {
            return Err("--every needs --monitor, --frequency, --load or --frequency-pattern".to_owned());
        }
        if self.lowest.is_some() && self.frequency.is_none() {
            return Err("--lowest needs --frequency, the highest one".to_owned());
        }
        let highest = self.frequency.iter().flat_map(Steps::all);
        if let Some(highest) = highest.copied().find(|highest| self.lowest > Some(*highest)) {
            let lowest = self.lowest.unwrap_or_default();
            return Err(format!("the lowest frequency, {lowest}, is above the highest, {highest}"));
        }
        Ok(())
    }

    /// The rate of the source, where our own pipeline can do `capacity` items a second, and a run has this
    /// many items.
    pub fn rate(&self, capacity: f64, items: u64) -> Option<Rate> {
        let max = match &self.frequency {
            Some(frequency) => frequency.first() as f64,
            None => match self.load {
                Some(percent) => percent as f64 / 100.0 * capacity,
                None if self.frequency_pattern.is_some() => MOST * capacity,
                None => return None,
            },
        };
        let min = self.lowest.map_or(max * LEAST / MOST, |lowest| lowest as f64).min(max);
        // The mean rate over whole periods, their number in a run, and the rate with a period.
        type Make = fn(Swing) -> Rate;
        let (mean, periods, make): (f64, f64, Make) = match self.frequency_pattern {
            None | Some(Pattern::Constant) => return Some(Rate::Constant(max)),
            Some(Pattern::Wave) => ((min + max) / 2.0, 3.0, Rate::Wave),
            Some(Pattern::Binary) => ((min + max) / 2.0, 3.0, Rate::Binary),
            Some(Pattern::Spike) => {
                let mean = min + (max - min) / 2.0 * SPIKE / 100.0;
                (mean, 3.0, |swing| Rate::Spike(swing, SPIKE))
            }
            Some(Pattern::Rising) => ((min + max) / 2.0, 1.0, Rate::Increasing),
            Some(Pattern::Falling) => ((min + max) / 2.0, 1.0, Rate::Decreasing),
        };
        let a_period = Duration::from_secs_f64((items as f64 / mean / periods).clamp(1e-3, 1e9));
        let period = self.period.map_or(a_period, Duration::from_millis);
        Some(make(Swing { period, min, max }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(pattern: Pattern) -> Trial {
        Trial { frequency_pattern: Some(pattern), ..Trial::default() }
    }

    #[test]
    fn the_rule_is_that_of_spbench() {
        let swing = |period: f64| Swing { period: Duration::from_secs_f64(period), min: 100.0, max: 1100.0 };
        let of = |pattern| trial(pattern).rate(1000.0, 1800).expect("it is paced");
        let close = |found: Rate, due: Rate| {
            (0..40).all(|step| (found.at(f64::from(step) / 8.0) - due.at(f64::from(step) / 8.0)).abs() < 1e-6)
        };
        // 1800 items at 600 a second on average.
        assert!(close(of(Pattern::Wave), Rate::Wave(swing(1.0))));
        assert!(close(of(Pattern::Binary), Rate::Binary(swing(1.0))));
        assert!(close(of(Pattern::Rising), Rate::Increasing(swing(3.0))));
        assert!(close(of(Pattern::Falling), Rate::Decreasing(swing(3.0))));
        assert!(close(of(Pattern::Spike), Rate::Spike(swing(4.0), 10.0)));
        assert_eq!(of(Pattern::Constant), Rate::Constant(1100.0));
        assert_eq!(Trial::default().rate(1000.0, 1800), None);
    }

    #[test]
    fn what_is_said_counts() {
        let frequency = Some(Steps::one(50));
        let said = Trial { lowest: Some(20), period: Some(500), frequency, ..trial(Pattern::Wave) };
        let swing = Swing { period: Duration::from_millis(500), min: 20.0, max: 50.0 };
        assert_eq!(said.rate(1e6, 10), Some(Rate::Wave(swing)));
        assert_eq!(said.check(), Ok(()));
        let load = Trial { load: Some(80), ..Trial::default() };
        assert_eq!(load.rate(50.0, 10), Some(Rate::Constant(40.0)));
        assert!(load.is_paced() && load.check().is_ok());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let frequency = "10:30".parse().ok();
        for (trial, told) in [
            (Trial { lowest: Some(3), ..Trial::default() }, "need a --frequency-pattern"),
            (Trial { period: Some(3), ..trial(Pattern::Constant) }, "need a --frequency-pattern"),
            (Trial { every: Some(3), ..Trial::default() }, "--every needs"),
            (Trial { lowest: Some(3), ..trial(Pattern::Wave) }, "--lowest needs --frequency"),
            (Trial { lowest: Some(11), frequency, ..trial(Pattern::Wave) }, "above the highest, 10"),
        ] {
            assert!(trial.check().is_err_and(|problem| problem.contains(told)), "{told}");
        }
    }
}
