//! The package that is built when one of its programs is first asked for: what is built, what it is asked, and what becomes of its answer. A shell plays
//! cargo, and the package's executable.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{stderr, stdout};

/// A folder with a copy of the command, as cargo leaves it.
struct Target(PathBuf);

/// Prints its words, complains, and ends with an exit code of its own.
const COMPANION: &str = "echo applications: $@; echo one complaint >&2; exit 7";

impl Target {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the old folder goes");
        }
        fs::create_dir_all(folder.join("release/examples")).expect("there is room");
        fs::copy(crate::executable(), folder.join("release/pipes-benches")).expect("there is room");
        Target(folder)
    }

    /// Writes a script. (By another process, so that no child of ours inherits a file that is open for writing and can then not be started.)
    fn script(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        let written = Command::new("sh")
            .args(["-c", "printf '#!/bin/sh\n%s\n' \"$1\" > \"$2\" && chmod +x \"$2\"", "sh", text])
            .arg(&file)
            .status();
        assert!(written.expect("there is a shell").success());
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o111, 0o111);
        file
    }

    fn companion(&self) {
        self.script("release/examples/pipes-applications", COMPANION);
    }

    fn run(&self, cargo: &Path, words: &str) -> Output {
        Command::new(self.0.join("release/pipes-benches"))
            .args(words.split_whitespace())
            .env("CARGO", cargo)
            .output()
            .expect("the command starts")
    }
}

#[test]
fn a_program_is_built_and_started() {
    let target = Target::new("started");
    target.companion();
    let cargo = target.script("cargo", "echo $@ > $(dirname $0)/asked");
    let output = target.run(&cargo, "graph500 --scale many");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(stdout(&output), "applications: graph500 --scale many\n");
    assert_eq!(stderr(&output), "one complaint\n");
    let asked = fs::read_to_string(target.0.join("asked")).expect("cargo was asked");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/applications/Cargo.toml");
    assert_eq!(
        asked.trim(),
        format!(
            "build --quiet --manifest-path {manifest} --example pipes-applications --profile release --target-dir {}",
            target.0.display()
        )
    );
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
    target.companion();
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
    let nowhere = target.0.join("nowhere");
    let output = target.run(&nowhere, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert!(stderr(&output).contains("cargo does not start"), "{}", stderr(&output));
    target.companion();
    let output = target.run(&nowhere, "dot");
    assert_eq!((output.status.code(), stdout(&output)), (Some(7), "applications: dot\n"));
}

#[test]
fn all_and_the_lines_of_code_go_on_there() {
    let target = Target::new("both");
    target.companion();
    let cargo = target.script("cargo", "exit 0");
    let output = target.run(&cargo, "all --quick --repeat 1 --json");
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let (own, theirs) = stdout(&output).split_once("applications: ").expect("both have printed");
    assert_eq!(theirs, "all --quick --repeat 1 --json\n");
    let own: Vec<_> = own.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    crate::support::assert_all_ran(&own, crate::TINY.iter(), &["on", "arrival", "shape"]);
    let output = target.run(&cargo, "list --sloc");
    let (own, theirs) = stdout(&output).split_once("\n\napplications: ").expect("both have printed");
    assert_eq!(theirs, "list --sloc\n");
    crate::support::assert_counted(own, 20);
}

#[test]
fn the_list_needs_no_cargo() {
    let target = Target::new("list");
    for words in ["list", "--help", "ring --help", "graph", "list --slock", "all --plot x.svg"] {
        let output = target.run(&target.0.join("nowhere"), words);
        assert!(!stderr(&output).contains("cargo"), "{words}: {}", stderr(&output));
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(
            !words.starts_with(['-', 'l']) || shown.contains("graph500") || words.contains("slock"),
            "{shown}"
        );
    }
}
