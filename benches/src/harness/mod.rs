//! The race: which contenders run, in which order, how they are timed, and what they must have delivered.

mod any;
mod choose;
mod contender;
mod placement;
mod probe;
mod progress;
mod race;
mod tally;
mod times;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use pipes_charts::Chart;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use any::{AnyProgram, Track};
pub(crate) use choose::choose;
pub use contender::{Contender, Run};
pub(crate) use placement::Placements;
pub(crate) use progress::Progress;
pub(crate) use race::{Raced, race};
pub use tally::Tally;
pub(crate) use times::Times;

use crate::executor::On;
use crate::failure::Failure;

/// A race repeated with several values of an option, or once, all of whose figures are shown.
#[derive(Debug)]
pub struct Experiment<P> {
    /// The option.
    pub option: &'static str,
    /// Its values, as they are printed, and the programs with them. At least one.
    pub points: Vec<(String, P)>,
    /// The figure that is drawn below the rate, and what it is called.
    pub drawn: (&'static str, &'static str),
}

/// A figure, in nanoseconds, that has a column in the table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The figure's name.
    pub figure: &'static str,
    /// The head of its column.
    pub head: &'static str,
    /// Whether a column with its ratio to ours follows.
    pub has_ratio: bool,
}

/// A benchmark program; the implementing type holds its options.
pub trait Program: Args + Serialize + Sized + 'static {
    /// The word on the command line.
    const NAME: &'static str;
    /// What is measured, in one line that states what one op is.
    const ABOUT: &'static str;
    /// What one op is called in the plural, as the unit of the rate.
    const UNIT: &'static str;
    /// Where it can run, the default first. By default, each contender runs in its own way.
    const PLACES: &'static [On] = &[On::Own];
    /// Options of the variants that `all` runs, one after another. By default, one variant without options.
    const VARIANTS: &'static [&'static [&'static str]] = &[&[]];
    /// Options that make a variant small, for `all --quick`.
    const QUICK: &'static [&'static str];
    /// Why the program cannot run, if something that it needs was not found when it was built. Then `all`
    /// leaves it out.
    const ABSENT: Option<&'static str> = None;
    /// The contenders, ours first.
    const CONTENDERS: &'static [Contender<Self>];
    /// Contenders that follow them, where the others are those of a whole family of programs.
    const OWN_CONTENDERS: &'static [Contender<Self>] = &[];

    /// What is prepared once, outside the timed part: what all contenders use, and what a result is compared
    /// with.
    type Setting;
    /// What a run returns for verification.
    type Outcome;

    /// All contenders, ours first.
    fn contenders() -> impl Iterator<Item = &'static Contender<Self>> + Clone {
        Self::CONTENDERS.iter().chain(Self::OWN_CONTENDERS)
    }
    /// The number of ops in one run.
    fn ops(&self, setting: &Self::Setting) -> u64;
    /// Where the parties run.
    fn on(&self) -> On {
        On::Own
    }
    /// Describes what is wrong with this combination of options, if anything.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
    /// Does something other than a race, if the options ask for that; `given` has the long names of the
    /// options on the command line.
    fn tool(&self, _given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        None
    }
    /// Makes the setting.
    fn setting(&self) -> io::Result<Self::Setting>;
    /// Describes how an outcome differs from what must have been delivered.
    fn verify(&self, setting: &Self::Setting, outcome: &Self::Outcome) -> Result<(), String>;
    /// How long the work took by its own clock, where the harness would time more than the work.
    fn own_time(_outcome: &Self::Outcome) -> Option<Duration> {
        None
    }
    /// The points of a curve over several numbers of workers, if the options ask for one.
    fn curve(&self) -> Vec<Self> {
        Vec::new()
    }
    /// The points of an experiment, if the options ask for one.
    fn experiment(&self) -> Option<Experiment<Self>> {
        None
    }
    /// What is drawn instead of a bar for each contender, if the options ask for something else.
    fn chart(&self, _setting: &Self::Setting) -> Option<Chart> {
        None
    }
    /// The figures, by name, that are reported of a run besides its time.
    fn figures(&self, _setting: &Self::Setting, _outcome: &Self::Outcome) -> Map<String, Value> {
        Map::new()
    }
    /// The figures that are columns of the table, for every contender.
    fn columns(&self) -> &'static [Column] {
        &[]
    }
    /// Returns `true` if the other figures are reported below the table for every contender, and not only for
    /// the one of ours that others are compared with.
    fn all_figures(&self) -> bool {
        false
    }
    /// Describes what could not be taken into account when the setting was made, if anything: everything else
    /// is done, and then the command fails.
    fn regrets(&self, _setting: &Self::Setting) -> Result<(), String> {
        Ok(())
    }
    /// Keeps the last outcome, which has been verified, if the options request that.
    fn keep(&self, _setting: Self::Setting, _outcome: Self::Outcome) -> io::Result<()> {
        Ok(())
    }
}
