//! The executable of a companion, for its tests, and the list of its programs, which the first command prints
//! without building it.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::PathBuf;

use crate::support::{assert_listed, run, stderr, stdout};

/// The executable, which `cargo test` builds before the tests begin, unless it is asked for
/// single tests.
pub fn executable(name: &str) -> PathBuf {
    let test = env::current_exe().expect("the test has a file");
    let profile = test.ancestors().nth(2).expect("it is in `deps`");
    profile.join("examples").join(format!("{name}{EXE_SUFFIX}"))
}

/// Compares the output of `list` with this file, which `BLESS=1` writes anew, and with these programs.
pub fn assert_kept<'a>(file: &str, programs: impl Iterator<Item = &'a (&'a str, &'a str)>) {
    let output = run("list");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let list = stdout(&output);
    if env::var_os("BLESS").is_some() {
        fs::write(file, list).expect("the list can be written");
    }
    let kept = fs::read_to_string(file).expect("the list is there");
    assert_eq!(kept, list, "{file} is not what `list` prints: run this test with BLESS=1 to write it");
    assert_listed(list, programs);
}
