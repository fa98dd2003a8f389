//! The command of the applications: what it prints, what it refuses, and with which exit code.

mod bzip2;
mod experiments;
#[cfg(unix)]
#[path = "../../../tests/command/fake.rs"]
mod fake;
mod graph500;
mod grep;
mod image;
mod k_nucleotide;
mod kernels;
mod streams;
#[path = "../../../tests/command/support.rs"]
mod support;

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::PathBuf;

use support::{
    assert_all_ran, assert_counted, assert_listed, assert_verified, lines_of, run, stderr, stdout,
};

/// The tiny sizes of all programs.
fn tiny() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    streams::TINY
        .iter()
        .chain(grep::TINY)
        .chain(image::TINY)
        .chain(kernels::TINY)
        .chain(k_nucleotide::TINY)
        .chain(graph500::TINY)
}

/// The options in which the variants of a program differ.
const VARIES: &[&str] = &["work", "mode", "shape"];

/// The executable under test, which `cargo test` builds before the tests begin, unless it is asked for single
/// tests.
fn executable() -> PathBuf {
    let test = env::current_exe().expect("the test has a file");
    let profile = test.ancestors().nth(2).expect("it is in `deps`");
    profile.join("examples").join(format!("pipes-applications{EXE_SUFFIX}"))
}

#[test]
fn every_program_is_verified_everywhere() {
    assert_verified(tiny());
}

/// Compares the output of `list` with `list.txt`, which `BLESS=1` writes anew.
#[test]
fn the_list_that_the_command_prints_is_true() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/list.txt");
    let output = run("list");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let list = stdout(&output);
    if env::var_os("BLESS").is_some() {
        fs::write(file, list).expect("the list can be written");
    }
    let kept = fs::read_to_string(file).expect("the list is there");
    assert_eq!(kept, list, "list.txt is not what `list` prints: run this test with BLESS=1 to write it");
    assert_listed(list, tiny());
}

#[test]
fn the_list_counts_lines() {
    assert_counted(stdout(&run("list --sloc")), 20);
}

#[test]
fn all_runs_every_program_in_every_variant() {
    assert_all_ran(&lines_of("all --quick --repeat 1"), tiny(), VARIES);
}
