//! The command of the applications: what it prints, what it refuses, and with which exit code.

mod bzip2;
#[path = "../../../tests/command/example.rs"]
mod example;
mod experiments;
mod faces;
#[cfg(unix)]
#[path = "../../../tests/command/fake.rs"]
mod fake;
mod ferret;
#[path = "../../../tests/command/files.rs"]
mod files;
mod graph500;
mod grep;
mod image;
mod k_nucleotide;
mod kernels;
mod lanes;
mod logs;
mod streams;
#[path = "../../../tests/command/support.rs"]
mod support;
#[path = "../../../tests/command/variants.rs"]
mod variants;

use std::path::PathBuf;

use support::{assert_counted, assert_verified, run, stdout};

/// The tiny sizes of all programs.
fn tiny() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    streams::TINY
        .iter()
        .chain(grep::TINY)
        .chain(logs::TINY)
        .chain(image::TINY)
        .chain(ferret::TINY)
        .chain(lanes::TINY)
        .chain(faces::TINY)
        .chain(kernels::TINY)
        .chain(k_nucleotide::TINY)
        .chain(graph500::TINY)
}

/// The options in which the variants of a program differ.
const VARIES: &[&str] = &["work", "mode", "shape"];

/// The executable under test.
fn executable() -> PathBuf {
    example::executable("pipes-applications")
}

#[test]
fn every_program_is_verified_everywhere() {
    assert_verified(tiny());
}

#[test]
fn the_list_that_the_command_prints_is_true() {
    example::assert_kept(concat!(env!("CARGO_MANIFEST_DIR"), "/list.txt"), tiny());
}

#[test]
fn the_list_counts_lines() {
    assert_counted(stdout(&run("list --sloc")), 20);
}

#[test]
fn all_runs_every_program_in_every_variant() {
    variants::assert_all_run(tiny(), VARIES);
}
