//! The packages that are built when one of their programs is first requested: what is built, which arguments
//! they get, and what becomes of their exit codes.

use std::fs;

use crate::fake::Target;
use crate::support::{stderr, stdout};

/// A script that prints its words, complains, and ends with an exit code of its own.
const COMPANION: &str = "echo applications: $@; echo one complaint >&2; exit 7";

fn applications(target: &Target) {
    target.script("release/examples/pipes-applications", COMPANION);
}

/// A script that prints its words and ends with this exit code.
fn channels(target: &Target, code: i32) {
    target.script("release/examples/pipes-channels", &format!("echo channels: $@; exit {code}"));
}

/// A script that stands in for the programs between processes: it prints its words and ends with this exit
/// code.
fn remote(target: &Target, code: i32) {
    target.script("release/examples/pipes-remote-programs", &format!("echo remote: $@; exit {code}"));
}

#[test]
fn a_program_is_built_and_started() {
    let target = Target::new("started");
    applications(&target);
    let cargo = target.script("cargo", "echo $@ > $(dirname $0)/asked");
    let output = target.run(&cargo, "graph500 --scale many");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(stdout(&output), "applications: graph500 --scale many\n");
    assert_eq!(stderr(&output), "one complaint\n");
    let asked = fs::read_to_string(target.folder.join("asked")).expect("cargo was asked");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/applications/Cargo.toml");
    assert_eq!(
        asked.trim(),
        format!(
            "build --quiet --manifest-path {manifest} --example pipes-applications --profile release --target-dir {}",
            target.folder.display()
        )
    );
}

#[test]
fn a_program_in_several_processes_runs_where_the_others_between_processes_are() {
    let target = Target::new("instead");
    applications(&target);
    remote(&target, 5);
    let cargo = target.script("cargo", "exit 0");
    for options in ["--processes 2", "--scale 9 --processes=3", "--rank 1 --peers here,there"] {
        let output = target.run(&cargo, &format!("graph500 {options}"));
        let told = format!("remote: remote-graph500 {options}\n");
        assert_eq!((output.status.code(), stdout(&output)), (Some(5), &*told));
    }
    for options in ["--n 5 --processes 3", "--listen=here", "--work-for here --over tcp"] {
        let output = target.run(&cargo, &format!("k-nucleotide {options}"));
        let told = format!("remote: remote-k-nucleotide {options}\n");
        assert_eq!((output.status.code(), stdout(&output)), (Some(5), &*told));
    }
    for words in ["graph500 --scale 9", "k-nucleotide --n 5", "matmul --processes 2"] {
        let output = target.run(&cargo, words);
        assert_eq!((output.status.code(), stdout(&output)), (Some(7), &*format!("applications: {words}\n")));
    }
}

#[test]
fn the_first_time_takes_a_line() {
    let target = Target::new("first");
    target.script("built", COMPANION);
    let cargo =
        target.script("cargo", "cd $(dirname $0) && mv built release/examples/pipes-applications; exit 0");
    let output = target.run(&cargo, "fasta 5");
    assert_eq!(stdout(&output), "applications: fasta 5\n");
    let told: Vec<_> = stderr(&output).lines().collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("building the programs about"), "{told:?}");
}

#[test]
fn what_is_not_built_is_not_started() {
    let target = Target::new("broken");
    channels(&target, 0);
    applications(&target);
    remote(&target, 0);
    let cargo = target.script("cargo", "exit 101");
    for words in ["matmul", "all --quick", "list --sloc"] {
        let output = target.run(&cargo, words);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{words}");
        assert!(stderr(&output).starts_with("pipes-benches: "), "{words}: {}", stderr(&output));
        assert!(stderr(&output).trim_end().ends_with("could not be built"), "{words}: {}", stderr(&output));
    }
}

#[test]
fn without_cargo_it_is_started_as_it_is() {
    let target = Target::new("alone");
    let nowhere = target.folder.join("nowhere");
    let output = target.run(&nowhere, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert!(stderr(&output).contains("cargo does not start"), "{}", stderr(&output));
    applications(&target);
    let output = target.run(&nowhere, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(7), "applications: dot\n"));
}

#[test]
fn a_copy_elsewhere_says_where_it_belongs() {
    let target = Target::new("elsewhere");
    fs::remove_dir(target.folder.join("release/examples")).expect("it is empty");
    let cargo = target.script("cargo", "touch $(dirname $0)/asked");
    let output = target.run(&cargo, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert!(stderr(&output).contains("start it with `cargo run`"), "{}", stderr(&output));
    assert!(!target.folder.join("asked").exists(), "cargo makes no folders where the copy is");
}

#[test]
fn what_cargo_prints_is_no_result() {
    let target = Target::new("noise");
    applications(&target);
    let cargo = target.script("cargo", "echo noise; [ -z \"$CARGO_BUILD_TARGET\" ]");
    let output = target.run(&cargo, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(7), "applications: dot\n"));
}

#[test]
fn all_and_the_lines_of_code_go_on_there() {
    let target = Target::new("both");
    channels(&target, 0);
    target.script("release/examples/pipes-applications", "echo applications: $@");
    remote(&target, 7);
    let cargo = target.script("cargo", "exit 0");
    let output = target.run(&cargo, "all --quick --repeat 1 --json");
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let (own, theirs) = stdout(&output).split_once("channels: ").expect("all have printed");
    let words = "all --quick --repeat 1 --json";
    assert_eq!(theirs, format!("{words}\napplications: {words}\nremote: {words}\n"));
    let own = own.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect(line));
    let own: Vec<_> = own.map(|line| (line["params"]["on"].clone(), line["verified"].clone())).collect();
    for on in ["threads", "tasks", "tasks2"] {
        assert!(
            own.contains(&(on.into(), true.into())) && !own.contains(&(on.into(), false.into())),
            "{own:?}"
        );
    }
    let output = target.run(&cargo, "list --sloc");
    let (own, theirs) = stdout(&output).split_once("\n\nchannels: ").expect("all have printed");
    assert_eq!(theirs, "list --sloc\n\napplications: list --sloc\n\nremote: list --sloc\n");
    crate::support::assert_counted(own, 5);
}

#[test]
fn the_first_that_fails_is_the_last() {
    let target = Target::new("fails");
    channels(&target, 3);
    applications(&target);
    remote(&target, 0);
    let output = target.run(&target.script("cargo", "exit 0"), "list --sloc");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).ends_with("channels: list --sloc\n"), "{}", stdout(&output));
}

#[test]
fn one_that_is_killed_is_named() {
    let target = Target::new("killed");
    target.script("release/examples/pipes-channels", "kill -9 $$");
    applications(&target);
    remote(&target, 0);
    let output = target.run(&target.script("cargo", "exit 0"), "list --sloc");
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("pipes-channels was ended by a signal: 9"), "{told}");
}

#[test]
fn the_list_needs_no_cargo() {
    let target = Target::new("list");
    for words in ["list", "--help", "ring --help", "graph", "list --slock", "all --plot x.svg"] {
        let output = target.run(&target.folder.join("nowhere"), words);
        assert!(!stderr(&output).contains("cargo"), "{words}: {}", stderr(&output));
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(
            !words.starts_with(['-', 'l']) || shown.contains("graph500") || words.contains("slock"),
            "{shown}"
        );
    }
}
