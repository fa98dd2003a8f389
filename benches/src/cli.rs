//! The command line, from the words to the exit code.

use std::env::ArgsOs;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Args, Command, FromArgMatches};

use crate::failure::Failure;
use crate::fasta;
use crate::list;
use crate::options::{Rounds, RunOptions};
use crate::programs;
use crate::report::{note, print};

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
    /// Run small sizes, under two minutes in total on two cores
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    rounds: Rounds,
}

/// The name of the command in its own messages.
const COMMAND: &str = "pipes-benches";

/// Runs the command with these arguments, the command's own name first.
///
/// Not generic, so that everything is compiled once, in this library, and not once more in the binary.
pub fn run(args: ArgsOs) -> ExitCode {
    match command_line(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            note(&format!("{COMMAND}: {failure}\n"));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn command_line(args: ArgsOs) -> Result<(), Failure> {
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(help) if !help.use_stderr() => return print(&help.to_string()),
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => return Err(unknown(&error)),
        Err(error) => return Err(error.into()),
    };
    match matches.subcommand() {
        Some(("list", options)) => list::print_list(ListOptions::from_arg_matches(options)?.sloc),
        Some(("all", options)) => all(AllOptions::from_arg_matches(options)?),
        Some((fasta::NAME, options)) => fasta::Fasta::from_arg_matches(options)?.run(),
        Some((name, options)) => programs::ALL
            .iter()
            .filter(|program| program.name == name)
            .try_for_each(|program| program.compare(options, &RunOptions::from_arg_matches(options)?)),
        None => Err(Failure::Arguments(format!("say what to run: {}", words()))),
    }
}

/// The whole command line, a subcommand for each program.
fn command() -> Command {
    let programs =
        programs::ALL.iter().map(|program| RunOptions::augment_args(program.command()).about(program.about));
    Command::new(COMMAND)
        .about("Compare message-passing systems, every result verified")
        .disable_help_subcommand(true)
        .subcommand_value_name("PROGRAM")
        .subcommand_help_heading("Programs")
        .subcommands(programs)
        .subcommand(fasta::command())
        .subcommand(ListOptions::augment_args(Command::new("list")))
        .subcommand(AllOptions::augment_args(Command::new("all")))
}

/// Runs every program in every variant, one after the other.
fn all(options: AllOptions) -> Result<(), Failure> {
    let run = RunOptions { contenders: vec!["all".to_owned()], rounds: options.rounds, plot: None };
    for program in programs::ALL {
        let size = if options.quick { program.quick } else { &[] };
        for variant in program.variants {
            let args = variant.iter().chain(size);
            let matches = program.command().no_binary_name(true).try_get_matches_from(args)?;
            program.compare(&matches, &run)?;
        }
    }
    Ok(())
}

fn unknown(error: &clap::Error) -> Failure {
    let word = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string).unwrap_or_default();
    Failure::Arguments(format!("there is no program `{word}`; say {}", words()))
}

/// The words that may come first.
fn words() -> String {
    let programs: Vec<_> = programs::ALL.iter().map(|program| program.name).collect();
    format!("{}, {}, all or list", programs.join(", "), fasta::NAME)
}
