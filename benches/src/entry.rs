//! A program as the command line sees it, with its type erased.

use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};

use crate::executor::On;
use crate::failure::Failure;
use crate::harness::{Experiment, Program, Progress, Raced, choose, race};
use crate::options::RunOptions;
use crate::report::{Csv, Curve, Outcome, Plot, REFERENCE, Report, is_ours};

/// One program of the registry.
#[derive(Debug)]
pub struct Entry {
    /// The word on the command line.
    pub name: &'static str,
    /// What is measured.
    pub about: &'static str,
    /// Where it can run.
    pub places: &'static [On],
    /// Options of the variants that `all` runs.
    pub variants: &'static [&'static [&'static str]],
    /// Options that make a variant small.
    pub quick: &'static [&'static str],
    augment: fn(Command) -> Command,
    tool: fn(&ArgMatches) -> Result<Option<ExitCode>, Failure>,
    compare: fn(&ArgMatches, &RunOptions) -> Result<(), Failure>,
    members: fn() -> Vec<Member>,
}

/// A contender of a program, for the list.
#[derive(Debug)]
pub struct Member {
    /// The word on the command line.
    pub name: &'static str,
    /// Lines of code of its version.
    pub lines: usize,
    /// Where it runs.
    pub places: Vec<On>,
}

impl Entry {
    /// The entry of this program.
    pub const fn of<P: Program>() -> Entry {
        Entry {
            name: P::NAME,
            about: P::ABOUT,
            places: P::PLACES,
            variants: P::VARIANTS,
            quick: P::QUICK,
            augment: P::augment_args,
            tool: tool::<P>,
            compare: compare::<P>,
            members: members::<P>,
        }
    }

    /// A command with the program's own options.
    pub fn command(&self) -> Command {
        (self.augment)(Command::new(self.name))
    }

    /// A command with all options of a race.
    pub fn race(&self) -> Command {
        RunOptions::augment_args(self.command()).about(self.about)
    }

    /// Runs the program as a tool, if the parsed options ask for that.
    pub fn tool(&self, matches: &ArgMatches) -> Result<Option<ExitCode>, Failure> {
        (self.tool)(matches)
    }

    /// Runs the program with the parsed options, and reports.
    pub fn compare(&self, matches: &ArgMatches, options: &RunOptions) -> Result<(), Failure> {
        (self.compare)(matches, options)
    }

    /// Its contenders, except the hidden ones.
    pub fn members(&self) -> Vec<Member> {
        (self.members)()
    }
}

fn tool<P: Program>(matches: &ArgMatches) -> Result<Option<ExitCode>, Failure> {
    let command = Entry::of::<P>().race();
    let given = command
        .get_arguments()
        .filter(|option| matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine));
    let given: Vec<_> = given.filter_map(|option| option.get_long()).collect();
    P::from_arg_matches(matches)?.tool(&given).transpose()
}

fn compare<P: Program>(matches: &ArgMatches, options: &RunOptions) -> Result<(), Failure> {
    let program = P::from_arg_matches(matches)?;
    program.check().map_err(|problem| Failure::Arguments(format!("{}: {problem}", P::NAME)))?;
    // Invalid requests are refused before anything is built.
    choose(&program, &options.contenders)?;
    let plotter = options.plot.as_ref().map(Plot::plotter).transpose()?;
    if let Some(csv) = &options.csv {
        Csv::prepare(csv)?;
    }
    let (as_json, points) = (options.rounds.json, program.curve());
    if !points.is_empty() {
        let curve = compare_all(&points, options)?;
        write(&Csv::of(&curve.races), options)?;
        return curve.publish(as_json, plotter);
    }
    let (published, (setting, last)) = if let Some(experiment) = program.experiment() {
        let (outcome, last) = compare_each(&experiment, options)?;
        write(&Csv::of(outcome.reports()), options)?;
        // What a program draws is of its last race.
        let chart = program.chart(&last.0).filter(|_| outcome.races.len() == 1);
        (outcome.publish(as_json, plotter, chart), last)
    } else {
        let (report, last) = compared(&program, &options.contenders, options)?;
        write(&Csv::of([&report]), options)?;
        (report.publish(as_json, plotter, program.chart(&last.0)), last)
    };
    let regrets = program.regrets(&setting);
    // The result is kept even if it could not be printed.
    let kept = last.map_or(Ok(()), |outcome| program.keep(setting, outcome));
    published?;
    kept.map_err(|error| Failure::io(&format!("{}: the result could not be kept", P::NAME), &error))?;
    regrets.map_err(|regret| Failure::Run(format!("{}: {regret}", P::NAME)))
}

/// Writes the table if requested.
fn write(csv: &Csv, options: &RunOptions) -> Result<(), Failure> {
    options.csv.as_ref().map_or(Ok(()), |path| csv.write(path))
}

/// Compares at each point of an experiment. The last race's setting and outcome are returned, too.
fn compare_each<P: Program>(
    experiment: &Experiment<P>,
    options: &RunOptions,
) -> Result<(Outcome, Last<P>), Failure> {
    // A point at which none can run is refused before the first race.
    experiment.points.iter().try_for_each(|(_, program)| choose(program, &options.contenders).map(drop))?;
    let (mut races, mut last) = (Vec::new(), None);
    for (value, program) in &experiment.points {
        drop(last.take());
        let (report, outcome) = compared(program, &options.contenders, options)?;
        races.push((value.clone(), report));
        last = Some(outcome);
    }
    let last = last.ok_or_else(|| Failure::Run("an experiment without points".to_owned()))?;
    Ok((Outcome { option: experiment.option, drawn: experiment.drawn, races }, last))
}

/// Compares at each point of a curve. The reference always takes part, even if it was not requested.
fn compare_all<P: Program>(points: &[P], options: &RunOptions) -> Result<Curve, Failure> {
    let mut contenders = options.contenders.clone();
    contenders.push(REFERENCE.to_owned());
    let races = points.iter().map(|program| Ok(compared(program, &contenders, options)?.0));
    Ok(Curve { races: races.collect::<Result<_, Failure>>()? })
}

/// What a race returns: its setting and the last outcome.
type Last<P> = (<P as Program>::Setting, Option<<P as Program>::Outcome>);

/// Runs a race, and collects the report.
fn compared<P: Program>(
    program: &P,
    contenders: &[String],
    options: &RunOptions,
) -> Result<(Report, Last<P>), Failure> {
    let (lanes, left_out) = choose(program, contenders)?;
    let progress = Progress::new(P::NAME, lanes.len() as u64, options.rounds.json);
    let raced = race(program, &lanes, options.rounds.repeat, &progress);
    progress.finish();
    let Raced { times, rounds, setting, last } = raced?;
    let params = serde_json::to_value(program).map_err(|error| Failure::json(&error))?;
    let report = Report {
        program: P::NAME,
        unit: P::UNIT,
        params,
        ops: program.ops(&setting),
        rounds,
        ours: lanes.iter().map(|(contender, _)| contender.name).find(|name| is_ours(name)),
        times,
        all_figures: program.all_figures(),
        left_out,
    };
    Ok((report, (setting, last)))
}

fn members<P: Program>() -> Vec<Member> {
    P::contenders()
        .filter(|contender| !contender.hidden)
        .map(|contender| Member {
            name: contender.name,
            lines: contender.lines(),
            places: P::PLACES.iter().copied().filter(|place| contender.run_on(*place).is_some()).collect(),
        })
        .collect()
}
