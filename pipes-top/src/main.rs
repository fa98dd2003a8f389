//! `pipes-top` shows what the threads of running programs wait for, like `top`.
//!
//! A program takes part if it calls `pipes::inspect::serve`. See the README of the package.

#[cfg(not(unix))]
compile_error!("pipes-top needs Unix sockets");

mod arguments;
mod ask;
mod deadlocks;
mod details;
mod draw;
mod links;
mod live;
mod model;
mod rows;
mod screen;
mod snapshot;
mod text;
mod width;

use arguments::Arguments;
use ask::{Answer, Failure, ask_all};
use clap::Parser;
use clap::error::ErrorKind;
use model::Processes;
use screen::Screen;
use std::collections::HashSet;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    arguments.paths = distinct(arguments.paths);
    let is_live = !arguments.once && !arguments.json;
    if is_live && !io::stdout().is_terminal() {
        let why = "the output is not a terminal: use `--once` or `--json`";
        clap::Error::raw(ErrorKind::ArgumentConflict, format!("{why}\n")).exit();
    }
    let answers = ask_all(&arguments.paths);
    let none_answers = answers.iter().all(Result::is_err);
    if !is_live || none_answers {
        complain(&arguments.paths, &answers);
    }
    if none_answers {
        return ExitCode::FAILURE;
    }
    let shown = if arguments.json {
        print(&json(&arguments.paths, answers))
    } else if arguments.once {
        print(&text::table(&Processes::new(&arguments.paths, answers), has_colors()))
    } else {
        let mut screen = Screen::new(Processes::new(&arguments.paths, answers));
        screen.has_colors = has_colors();
        live::run(&arguments.paths, arguments.interval, screen)
    };
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("cannot write to the output: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Leaves out paths of sockets that come before.
fn distinct(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut before = HashSet::new();
    let socket = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    paths.into_iter().filter(|path| before.insert(socket(path))).collect()
}

/// Returns `true` if the output is a terminal, and `NO_COLOR` is not set or empty.
fn has_colors() -> bool {
    io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// Says of each process that does not answer why.
fn complain(paths: &[PathBuf], answers: &[Result<Answer, Failure>]) {
    for (path, answer) in paths.iter().zip(answers) {
        if let Err(error) = answer {
            say(&format!("{}: {}", path.display(), error.why));
        }
    }
}

fn say(sentence: &str) {
    // Without a reader, it need not be said.
    let _ = writeln!(io::stderr(), "pipes-top: {}", snapshot::without_controls(sentence));
}

/// Returns a line of JSON for each process that answers.
fn json(paths: &[PathBuf], answers: Vec<Result<Answer, Failure>>) -> String {
    let line = |(path, answer): (&PathBuf, Result<Answer, Failure>)| {
        let path = serde_json::Value::from(path.to_string_lossy());
        answer.ok().map(|it| format!("{{\"path\":{path},\"snapshot\":{}}}\n", it.json))
    };
    paths.iter().zip(answers).filter_map(line).collect()
}

/// Prints the text. A reader that has read enough is no error.
fn print(text: &str) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}
