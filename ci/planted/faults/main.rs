//! Plants all faults of `ci/planted/faults.toml` in a copy of the tree, builds the tests once, and finds
//! which tests report each fault. `ci/planted.sh faults` runs it.
//!
//! Each fault is behind a condition that is true if the environment variable `PIPES_FAULT` names the fault.
//! So one build serves all faults. The tests are run in groups: one for each module at the top of a test
//! target. A group is a process of its own. It reports a fault if one of its tests fails, if the process
//! aborts, or if it takes too long.
//!
//! First each group runs without a fault and notes which faults it executes; only these can it report. A
//! second time, several groups run at once. A test that fails without a fault is left out.
//!
//! Not all groups run with each fault. The record has the first reports of each fault, and a slow group runs
//! only if no quick one reports the fault.

mod baseline;
mod fault;
mod group;
mod matrix;
mod record;
mod run;
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

/// What is wrong, in words.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Where files are.
struct Places {
    /// The list of faults.
    faults: PathBuf,
    /// The record of the tests that report each fault.
    record: PathBuf,
    /// The copy of the tree, with all faults.
    copy: PathBuf,
    /// The file to which the tests append the numbers of the faults that they execute.
    executed: PathBuf,
    /// The groups that pass without a fault.
    passing: PathBuf,
}

fn main() -> ExitCode {
    let begin = Instant::now();
    let outcome = plant();
    println!("planted: {} s", begin.elapsed().as_secs());
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("planted: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plants the faults and runs the tests. Returns `true` if each fault was reported.
fn plant() -> Result<bool> {
    let (mut all, mut check, mut pattern) = (false, false, String::new());
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--all" => all = true,
            "--check" => check = true,
            option if option.starts_with('-') => return Err(format!("there is no option {option}").into()),
            _ => pattern = argument,
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let work = target.join("planted-faults");
    fs::create_dir_all(&work)?;
    let work = work.canonicalize()?;
    let places = Places {
        faults: root.join("ci/planted/faults.toml"),
        record: root.join("ci/planted/caught.txt"),
        copy: work.join("tree"),
        executed: work.join("executed"),
        passing: work.join("passing.json"),
    };
    let faults = fault::read(&places.faults)?;
    tree::copy(&root, &places.copy)?;
    tree::splice(&places, &faults)?;
    if check {
        return Ok(true);
    }
    let groups = group::build(&places.copy, &work.join("target"))?;
    let groups = baseline::passing(&places, &faults, groups)?;
    matrix::run(&places, &faults, &groups, all, &pattern)
}
