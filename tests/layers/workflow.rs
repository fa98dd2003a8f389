//! The parts of `.ci/run` are the jobs of the workflow for the repository's host, and the other way round.

use std::collections::BTreeSet;
use std::fs;

use crate::source::root;

/// The parts that `.ci/run` runs, with both of those that take turns.
fn parts(run: &str) -> BTreeSet<&str> {
    let words = |begin: &'static str| run.lines().filter_map(move |line| line.strip_prefix(begin));
    let turns = words("sanitizers=(").flat_map(|line| line.trim_end_matches(')').split(' '));
    let named = words("part ").filter_map(|line| line.split(' ').next());
    named.filter(|name| *name != "\"$sanitizer\"").chain(turns).collect()
}

/// The parts of the matrix in the workflow.
fn jobs(workflow: &str) -> BTreeSet<&str> {
    let behind = workflow.lines().map(str::trim).skip_while(|line| *line != "part:").skip(1);
    behind.map_while(|line| line.strip_prefix("- ")).collect()
}

#[test]
fn the_workflow_has_the_parts_of_the_script() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is there");
    let (run, workflow) = (read(".ci/run"), read(".github/workflows/ci.yml"));
    let parts = parts(&run);
    assert!(parts.len() > 10, "{parts:?}");
    assert_eq!(jobs(&workflow), parts);
}

#[test]
fn the_parts_are_read() {
    let run =
        "sanitizers=(a b)\npart() { # part NAME\npart test 7\npart mutate 4 45\npart \"$sanitizer\" 6\n";
    assert_eq!(parts(run), BTreeSet::from(["a", "b", "mutate", "test"]));
    let workflow = "jobs:\n  job:\n    matrix:\n      part:\n        - a\n        - b\n      # Why.\n";
    assert_eq!(jobs(workflow), BTreeSet::from(["a", "b"]));
}
