//! A program without its types, so that the race is compiled once and not once for each program.

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pipes_charts::Chart;
use serde_json::{Map, Value};

use super::{Column, Experiment, Program};
use crate::failure::Failure;

/// A program that has its options. Most methods are those of [`Program`].
pub trait AnyProgram {
    /// The word on the command line.
    fn name(&self) -> &'static str;
    /// What one op is called in the plural.
    fn unit(&self) -> &'static str;
    /// The options, by name.
    fn params(&self) -> serde_json::Result<Value>;
    /// All contenders, ours first.
    fn candidates(&self) -> Vec<Candidate>;
    /// Why the contender with this place among the candidates cannot run with these options, if it cannot.
    fn unable(&self, candidate: usize) -> Option<String>;
    /// Returns `true` if the parties may run at the same time, on several processors.
    fn is_threaded(&self) -> bool;
    fn columns(&self) -> &'static [Column];
    fn all_figures(&self) -> bool;
    fn check(&self) -> Result<(), String>;
    fn tool(&self, given: &[&str]) -> Option<Result<ExitCode, Failure>>;
    fn curve(&self) -> Vec<Box<dyn AnyProgram>>;
    fn experiment(&self) -> Option<Experiment<Box<dyn AnyProgram>>>;
    /// Makes the setting.
    fn track(&self) -> io::Result<Box<dyn Track + '_>>;
}

/// A contender that may take part.
pub struct Candidate {
    /// The word on the command line and in the table.
    pub name: &'static str,
    /// Whether it runs only when requested by name.
    pub hidden: bool,
}

/// A program with its setting, and the last outcome.
pub trait Track {
    /// The number of ops in one run.
    fn ops(&self) -> u64;
    /// Drops the last outcome, runs the contender with this place among the candidates, and verifies the new
    /// outcome after the clock has stopped; or reports how the contender failed.
    fn run(&mut self, candidate: usize) -> Result<Duration, String>;
    /// The figures of the last outcome.
    fn figures(&self) -> Map<String, Value>;
    fn chart(&self) -> Option<Chart>;
    fn regrets(&self) -> Result<(), String>;
    /// Keeps the last outcome, if the options request that.
    fn keep(self: Box<Self>) -> io::Result<()>;
}

impl<P: Program> AnyProgram for P {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn unit(&self) -> &'static str {
        P::UNIT
    }

    fn params(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for contender in P::contenders() {
            candidates.push(Candidate { name: contender.name, hidden: contender.hidden });
        }
        candidates
    }

    fn unable(&self, candidate: usize) -> Option<String> {
        P::contenders().nth(candidate)?.run_for(self).err()
    }

    fn is_threaded(&self) -> bool {
        self.on().is_threaded()
    }

    fn columns(&self) -> &'static [Column] {
        Program::columns(self)
    }

    fn all_figures(&self) -> bool {
        Program::all_figures(self)
    }

    fn check(&self) -> Result<(), String> {
        Program::check(self)
    }

    fn tool(&self, given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        Program::tool(self, given)
    }

    fn curve(&self) -> Vec<Box<dyn AnyProgram>> {
        let mut points: Vec<Box<dyn AnyProgram>> = Vec::new();
        for program in Program::curve(self) {
            points.push(Box::new(program));
        }
        points
    }

    fn experiment(&self) -> Option<Experiment<Box<dyn AnyProgram>>> {
        let Experiment { option, points: typed, drawn } = Program::experiment(self)?;
        let mut points: Vec<(String, Box<dyn AnyProgram>)> = Vec::new();
        for (value, program) in typed {
            points.push((value, Box::new(program)));
        }
        Some(Experiment { option, points, drawn })
    }

    fn track(&self) -> io::Result<Box<dyn Track + '_>> {
        Ok(Box::new(Typed { program: self, setting: self.setting()?, last: None }))
    }
}

struct Typed<'p, P: Program> {
    program: &'p P,
    setting: P::Setting,
    last: Option<P::Outcome>,
}

impl<P: Program> Track for Typed<'_, P> {
    fn ops(&self) -> u64 {
        self.program.ops(&self.setting)
    }

    fn run(&mut self, candidate: usize) -> Result<Duration, String> {
        let on = self.program.on();
        let run = P::contenders().nth(candidate).and_then(|contender| contender.run_on(on));
        let run = run.ok_or("cannot run")?;
        // Some outcomes are large, so there is only one at a time.
        self.last = None;
        let start = Instant::now();
        let outcome = run(self.program, &self.setting);
        let time = start.elapsed();
        let outcome = outcome.map_err(|error| format!("could not run: {error}"))?;
        if let Err(difference) = self.program.verify(&self.setting, &outcome) {
            return Err(format!("gave a wrong result: {difference}"));
        }
        let time = P::own_time(&outcome).unwrap_or(time);
        self.last = Some(outcome);
        Ok(time)
    }

    fn figures(&self) -> Map<String, Value> {
        let figures = |outcome| self.program.figures(&self.setting, outcome);
        self.last.as_ref().map(figures).unwrap_or_default()
    }

    fn chart(&self) -> Option<Chart> {
        self.program.chart(&self.setting)
    }

    fn regrets(&self) -> Result<(), String> {
        self.program.regrets(&self.setting)
    }

    fn keep(self: Box<Self>) -> io::Result<()> {
        let Typed { program, setting, last } = *self;
        last.map_or(Ok(()), |outcome| program.keep(setting, outcome))
    }
}
