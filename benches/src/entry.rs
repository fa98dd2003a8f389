//! Programs and tools as the command line sees them, with their types erased.

use std::path::Path;
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};

use crate::executor::On;
use crate::failure::Failure;
use crate::files::{are_same, is_in};
use crate::harness::{AnyProgram, Experiment, Program, Progress, Raced, Track, choose, race};
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
    /// Why the program cannot run, if it cannot.
    pub absent: Option<&'static str>,
    augment: fn(Command) -> Command,
    parse: fn(&ArgMatches) -> clap::error::Result<Box<dyn AnyProgram>>,
    members: fn() -> Vec<Member>,
}

/// A command other than a race.
#[derive(Debug)]
pub struct Tool {
    /// The word on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The command and its options.
    pub command: fn() -> Command,
    /// Runs it with the parsed options.
    pub run: fn(&ArgMatches) -> Result<(), Failure>,
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
            absent: P::ABSENT,
            augment: P::augment_args,
            parse: |matches| Ok(Box::new(P::from_arg_matches(matches)?)),
            members: members::<P>,
        }
    }

    /// Returns this entry as if the program could not run.
    #[cfg(test)]
    pub const fn lacking(self, reason: &'static str) -> Entry {
        Entry { absent: Some(reason), ..self }
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
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let command = self.race();
        let given = command.get_arguments().filter(|option| is_given(option.get_id().as_str()));
        let given: Vec<_> = given.filter_map(Arg::get_long).collect();
        (self.parse)(matches)?.tool(&given).transpose()
    }

    /// Runs the program with the parsed options, and reports.
    pub fn compare(&self, matches: &ArgMatches, options: &RunOptions) -> Result<(), Failure> {
        if let Some(reason) = self.absent {
            return Err(Failure::Run(format!("{} cannot run: {reason}", self.name)));
        }
        refuse_one_place_for_two(matches)?;
        refuse_files_in_folders(matches)?;
        compare(&*(self.parse)(matches)?, options)
    }

    /// Its contenders, except the hidden ones.
    pub fn members(&self) -> Vec<Member> {
        (self.members)()
    }
}

/// The options that name files and folders which are read or written.
const PLACES: [&str; 8] = ["input", "graph", "csv", "plot", "monitor", "output", "picture", "write"];

/// Refuses two options that name the same place: one would replace what the other has written or is reading.
fn refuse_one_place_for_two(matches: &ArgMatches) -> Result<(), Failure> {
    let mut named: Vec<(&str, &Path)> = Vec::new();
    for option in PLACES {
        let Some(place) = place(matches, option) else { continue };
        if let Some((other, _)) = named.iter().find(|(_, before)| are_same(before, place)) {
            let place = place.display();
            return Err(Failure::Arguments(format!("--{other} and --{option} name the same place, {place}")));
        }
        named.push((option, place));
    }
    Ok(())
}

/// The options that name files which are written.
const WRITTEN: [&str; 5] = ["csv", "plot", "monitor", "picture", "write"];

/// Refuses a file in the folder that is read: it might replace a part of that, or be one the next time. And
/// refuses one in the folder that results are written to: a result may get the same name. The names of the
/// results are not known before the input is read, so no name is free.
fn refuse_files_in_folders(matches: &ArgMatches) -> Result<(), Failure> {
    for (folder, does) in [("input", "reads"), ("output", "writes to")] {
        let Some(path) = place(matches, folder) else { continue };
        for option in WRITTEN {
            if let Some(file) = place(matches, option).filter(|file| is_in(file, path)) {
                let file = file.display();
                let what = format!("--{option} names {file}, in the folder that --{folder} {does}");
                return Err(Failure::Arguments(what));
            }
        }
    }
    Ok(())
}

/// The file or folder that this option names, if the program has the option and it is used.
fn place<'m>(matches: &'m ArgMatches, option: &str) -> Option<&'m Path> {
    matches.try_get_raw(option).ok().flatten()?.next().map(Path::new)
}

fn compare(program: &dyn AnyProgram, options: &RunOptions) -> Result<(), Failure> {
    let name = program.name();
    program.check().map_err(|problem| Failure::Arguments(format!("{name}: {problem}")))?;
    // Invalid requests are refused before anything is built.
    choose(program, &options.contenders)?;
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
    let experiment = program.experiment();
    let (published, last) = if let Some(experiment) = &experiment {
        let (outcome, last) = compare_each(experiment, options)?;
        write(&Csv::of(outcome.reports()), options)?;
        // What a program draws is of its last race.
        let chart = last.chart().filter(|_| outcome.races.len() == 1);
        (outcome.publish(as_json, plotter, chart), last)
    } else {
        let (report, last) = compared(program, &options.contenders, options)?;
        write(&Csv::of([&report]), options)?;
        (report.publish(as_json, plotter, last.chart()), last)
    };
    let regrets = last.regrets();
    // The result is kept even if it could not be printed.
    let kept = last.keep();
    published?;
    kept.map_err(|error| Failure::io(&format!("{name}: the result could not be kept"), &error))?;
    regrets.map_err(|regret| Failure::Run(format!("{name}: {regret}")))
}

/// Writes the table if requested.
fn write(csv: &Csv, options: &RunOptions) -> Result<(), Failure> {
    options.csv.as_ref().map_or(Ok(()), |path| csv.write(path))
}

/// Compares at each point of an experiment. The last race's track is returned, too.
fn compare_each<'p>(
    experiment: &'p Experiment<Box<dyn AnyProgram>>,
    options: &RunOptions,
) -> Result<(Outcome, Box<dyn Track + 'p>), Failure> {
    // A point at which none can run is refused before the first race.
    experiment
        .points
        .iter()
        .try_for_each(|(_, program)| choose(&**program, &options.contenders).map(drop))?;
    let (mut races, mut last) = (Vec::new(), None);
    for (value, program) in &experiment.points {
        drop(last.take());
        let (report, track) = compared(&**program, &options.contenders, options)?;
        races.push((value.clone(), report));
        last = Some(track);
    }
    let last = last.ok_or_else(|| Failure::Run("an experiment without points".to_owned()))?;
    Ok((Outcome { option: experiment.option, drawn: experiment.drawn, races }, last))
}

/// Compares at each point of a curve. The reference always takes part, even if it was not requested.
fn compare_all(points: &[Box<dyn AnyProgram>], options: &RunOptions) -> Result<Curve, Failure> {
    let mut contenders = options.contenders.clone();
    contenders.push(REFERENCE.to_owned());
    let races = points.iter().map(|program| Ok(compared(&**program, &contenders, options)?.0));
    Ok(Curve { races: races.collect::<Result<_, Failure>>()? })
}

/// Runs a race, and collects the report.
fn compared<'p>(
    program: &'p dyn AnyProgram,
    contenders: &[String],
    options: &RunOptions,
) -> Result<(Report, Box<dyn Track + 'p>), Failure> {
    let (lanes, left_out) = choose(program, contenders)?;
    let progress = Progress::new(program.name(), lanes.len() as u64, options.rounds.json);
    let raced = race(program, &lanes, options.rounds.repeat, &progress);
    progress.finish();
    let Raced { times, rounds, placements, track } = raced?;
    let report = Report {
        program: program.name(),
        unit: program.unit(),
        params: program.params().map_err(|error| Failure::json(&error))?,
        ops: track.ops(),
        rounds,
        placements,
        ours: lanes.iter().map(|(name, _)| *name).find(|name| is_ours(name)),
        times,
        columns: program.columns(),
        all_figures: program.all_figures(),
        left_out,
    };
    Ok((report, track))
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
