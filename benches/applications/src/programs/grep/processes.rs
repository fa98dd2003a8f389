//! The programs ripgrep and GNU grep, started anew in each run.

use std::io;
use std::process::{Command, Stdio};

use super::flow::{Folders, Printed};
use super::options::{Grep, has_no_flow};
use crate::streams::{Prepared, Suite};
use pipes_benches::harness::Contender;

/// The source of this file, for `list --sloc`.
const SOURCES: &[&str] = &[include_str!("processes.rs")];

/// The program ripgrep.
pub const RG: Contender<Suite<Grep>> = Contender::new("rg", SOURCES)
    .in_its_own_way(|_, prepared: &Prepared<Grep>| {
        prepared.run_process(|folders| rg(folders, prepared.replicas()))
    })
    .unless(|suite| {
        has_no_flow(suite).or_else(|| (!is_installed("rg", "ripgrep ")).then_some("ripgrep is not installed"))
    });

/// The program GNU grep.
pub const GREP: Contender<Suite<Grep>> = Contender::new("grep", SOURCES)
    .in_its_own_way(|_, prepared: &Prepared<Grep>| prepared.run_process(grep))
    .unless(|suite| {
        let is_unclear = !suite.program.pattern().chars().all(means_the_same);
        has_no_flow(suite)
            .or_else(|| is_unclear.then_some("the pattern may mean something else to it"))
            .or_else(|| (!is_installed("grep", "grep (GNU grep) ")).then_some("GNU grep is not installed"))
    });

/// Returns `true` if a character means the same in our regular expressions and in the extended ones of POSIX,
/// in any place.
fn means_the_same(part: char) -> bool {
    part.is_ascii_alphanumeric() || " _[]^$|".contains(part)
}

/// Returns `true` if there is a program of this name whose version begins like this.
fn is_installed(name: &str, version: &str) -> bool {
    let told = Command::new(name).arg("--version").stderr(Stdio::null()).output();
    told.is_ok_and(|told| told.stdout.starts_with(version.as_bytes()))
}

/// Runs ripgrep: every file is searched, as text, and nothing but lines is printed.
fn rg(folders: &Folders, threads: usize) -> io::Result<Printed> {
    let mut rg = Command::new("rg");
    rg.args(["--no-config", "--no-messages", "--color=never", "--no-heading", "--with-filename"]);
    rg.args(["-uuu", "--text", "--encoding=none", "--no-line-number"]);
    rg.arg(format!("--threads={threads}"));
    printed(rg, folders)
}

/// Runs GNU grep, which has one thread, in the locale in which it is fastest.
fn grep(folders: &Folders) -> io::Result<Printed> {
    let mut grep = Command::new("grep");
    grep.env("LC_ALL", "C").env_remove("GREP_COLORS").arg("--color=never").arg("-rsaHE");
    printed(grep, folders)
}

/// What a program prints about these folders. Files that it cannot read do not matter here: what it has not
/// printed for them, the sequential program has not either.
fn printed(mut program: Command, folders: &Folders) -> io::Result<Printed> {
    let output = program.args(["-e", &folders.pattern, "--"]).args(&folders.roots.paths).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    match told.lines().next() {
        Some(problem) => Err(io::Error::other(problem.to_owned())),
        None => Ok(output.stdout.into()),
    }
}
