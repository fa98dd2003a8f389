//! The command line, from the words to the exit code.

use std::env::ArgsOs;
use std::ffi::OsString;
use std::iter;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::companion::{Built, Companion};
use crate::console::{note, print};
use crate::entry::{Entry, Tool};
use crate::failure::Failure;
use crate::list;
use crate::options::{Rounds, RunOptions};

/// What a command line may request.
#[derive(Debug)]
pub struct Commands {
    /// Programs, in the order of `list` and `all`.
    pub programs: &'static [Entry],
    /// Commands other than races.
    pub tools: &'static [Tool],
    /// Programs and tools of other packages, which come last.
    pub others: &'static [Others],
}

/// The programs and tools of another package.
#[derive(Debug)]
pub struct Others {
    /// The package.
    pub package: Companion,
    /// What its `list` prints.
    pub list: &'static str,
    /// Programs that run here if certain options are given.
    pub instead: &'static [Instead],
}

/// A program that runs instead of another one, with the same words.
#[derive(Debug)]
pub struct Instead {
    /// The word on the command line.
    pub program: &'static str,
    /// The options, any of which is enough.
    pub options: &'static [&'static str],
    /// The program that runs.
    pub by: &'static str,
}

/// List the programs, their options and their contenders
#[derive(Args)]
struct ListOptions {
    /// Also print the lines of code of each contender's version
    #[arg(long)]
    sloc: bool,
}

/// Run every program in every variant
#[derive(Args)]
struct AllOptions {
    /// Run small sizes and three rounds of each, under two minutes in total on two cores
    #[arg(long)]
    quick: bool,
    /// Print what would run, a line for each run, and run nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    rounds: Rounds,
}

/// The name of the command in its own messages.
const COMMAND: &str = "pipes-benches";

/// Runs one of these commands with these arguments, the name of the executable first.
///
/// Not generic, so everything is compiled once, in this library, and not again in the binary.
pub fn run(args: ArgsOs, commands: &Commands) -> ExitCode {
    let args: Vec<_> = args.collect();
    commands.run(&args).unwrap_or_else(|failure| {
        note(&format!("{COMMAND}: {failure}\n"));
        ExitCode::from(failure.exit_code())
    })
}

impl Others {
    /// The names of the programs and tools, and what each does.
    fn programs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let heads = self.list.lines().filter(|line| !line.starts_with(' '));
        heads.filter_map(|line| line.split_once(": "))
    }

    /// The words for this package, if it has the program that they ask for.
    fn words(&self, words: &[OsString]) -> Option<Vec<OsString>> {
        let (first, options) = words.split_first()?;
        let is_given = |option: &&str| {
            let is_it = |word: &OsString| word.to_str().is_some_and(|word| name(word) == *option);
            options.iter().any(is_it)
        };
        let instead = self.instead.iter().find(|it| first == it.program && it.options.iter().any(is_given));
        if let Some(instead) = instead {
            return Some(iter::once(instead.by.into()).chain(options.iter().cloned()).collect());
        }
        self.programs().any(|(name, _)| first == name).then(|| words.to_vec())
    }
}

/// An option without its value.
fn name(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

impl Commands {
    fn run(&self, args: &[OsString]) -> Result<ExitCode, Failure> {
        let words = args.get(1..).unwrap_or_default();
        // What runs instead of another program is in a later package.
        let mut elsewhere = self.others.iter().rev();
        if let Some((package, words)) =
            elsewhere.find_map(|others| Some((&others.package, others.words(words)?)))
        {
            return package.built()?.run(&words);
        }
        let matches = match self.command().try_get_matches_from(args) {
            Ok(matches) => matches,
            Err(help) if !help.use_stderr() => return done(print(&help.to_string())),
            Err(error) if error.kind() == ErrorKind::InvalidSubcommand => return Err(self.unknown(&error)),
            Err(error) => return Err(error.into()),
        };
        match matches.subcommand() {
            Some(("list", options)) => self.list(&ListOptions::from_arg_matches(options)?, words),
            Some(("all", options)) => self.all(AllOptions::from_arg_matches(options)?, words),
            Some((name, options)) => self.run_one(name, options),
            None => Err(Failure::Arguments(format!("say what to run: {}", self.words()))),
        }
    }

    /// The whole command line, a subcommand for each program.
    fn command(&self) -> Command {
        let programs = self.programs.iter().map(Entry::race);
        let tools = self.tools.iter().map(|tool| (tool.command)().about(tool.about));
        let others = self.others.iter().flat_map(Others::programs);
        Command::new(COMMAND)
            .about("Compare message-passing systems, every result verified")
            .disable_help_subcommand(true)
            .subcommand_value_name("PROGRAM")
            .subcommand_help_heading("Programs")
            .subcommands(programs)
            .subcommands(tools)
            .subcommands(others.map(|(name, about)| Command::new(name).about(about)))
            .subcommand(ListOptions::augment_args(Command::new("list")))
            .subcommand(AllOptions::augment_args(Command::new("all")))
    }

    /// Runs the program or the tool of this name.
    fn run_one(&self, name: &str, options: &ArgMatches) -> Result<ExitCode, Failure> {
        let mut tools = self.tools.iter().filter(|tool| tool.name == name);
        tools.try_for_each(|tool| (tool.run)(options))?;
        for program in self.programs.iter().filter(|program| program.name == name) {
            if let Some(code) = program.tool(options)? {
                return Ok(code);
            }
            program.compare(options, &RunOptions::from_arg_matches(options)?)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the list. Each package counts its own lines of code.
    fn list(&self, options: &ListOptions, words: &[OsString]) -> Result<ExitCode, Failure> {
        let own = list::of(self.programs, self.tools, options.sloc);
        if options.sloc {
            let built = self.built()?;
            print(&own)?;
            return run_each(&built, words, "\n");
        }
        let lists: Vec<_> =
            iter::once(own.as_str()).chain(self.others.iter().map(|others| others.list)).collect();
        done(print(&lists.join("\n")))
    }

    /// Runs every program in every variant, one after another.
    fn all(&self, options: AllOptions, words: &[OsString]) -> Result<ExitCode, Failure> {
        let built = self.built()?;
        let mut rounds = options.rounds;
        rounds.repeat = rounds.repeat.or(options.quick.then_some(3));
        let run = RunOptions { contenders: vec!["all".to_owned()], rounds, plot: None, csv: None };
        for program in self.programs {
            if let Some(reason) = program.absent {
                note(&format!("{COMMAND}: {} is left out: {reason}\n", program.name));
                continue;
            }
            let size = if options.quick { program.quick } else { &[] };
            for variant in program.variants {
                let args = variant.iter().chain(size);
                // A small size replaces that of the variant.
                let command = program.command().no_binary_name(true).args_override_self(true);
                let matches = command.try_get_matches_from(args.clone())?;
                if options.dry_run {
                    let words: Vec<_> = iter::once(&program.name).chain(args).copied().collect();
                    print(&format!("{}\n", words.join(" ")))?;
                    continue;
                }
                program.compare(&matches, &run)?;
            }
        }
        run_each(&built, words, "")
    }

    /// The executables of the other packages.
    fn built(&self) -> Result<Vec<Built>, Failure> {
        self.others.iter().map(|others| others.package.built()).collect()
    }

    fn unknown(&self, error: &clap::Error) -> Failure {
        let word = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string).unwrap_or_default();
        Failure::Arguments(format!("there is no program `{word}`; say {}", self.words()))
    }

    /// The words that may come first on the command line.
    fn words(&self) -> String {
        let programs = self.programs.iter().map(|program| program.name);
        let tools = self.tools.iter().map(|tool| tool.name);
        let others = self.others.iter().flat_map(Others::programs).map(|(name, _)| name);
        let names: Vec<_> = programs.chain(tools).chain(others).collect();
        format!("{}, all or list", names.join(", "))
    }
}

/// Runs each of these with these arguments, until one fails; this text is printed before each.
fn run_each(built: &[Built], words: &[OsString], between: &str) -> Result<ExitCode, Failure> {
    for executable in built {
        print(between)?;
        let code = executable.wait(words)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn done(outcome: Result<(), Failure>) -> Result<ExitCode, Failure> {
    outcome.map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::Ring;

    /// A program that lacks something.
    static LACKING: [Entry; 1] = [Entry::of::<Ring>().lacking("no ring was found")];

    fn run(words: &str) -> Result<ExitCode, Failure> {
        let args: Vec<_> = words.split(' ').map(OsString::from).collect();
        Commands { programs: &LACKING, tools: &[], others: &[] }.run(&args)
    }

    #[test]
    fn what_cannot_run_is_left_out_of_all_and_says_why() {
        assert!(run("pipes-benches all --quick").is_ok());
        let failure = run("pipes-benches ring").expect_err("it cannot run");
        assert_eq!(failure.to_string(), "ring cannot run: no ring was found");
        assert_eq!(failure.exit_code(), 1);
    }
}
