//! Tests in processes of their own.

use std::env::{current_exe, var_os};
use std::path::Path;
use std::process::Command;
use std::thread::current;

/// Set in a process that was started for one test.
const INSIDE: &str = "PIPES_APART";

/// Runs a test in a process of its own, by running it again there: if the process aborts, only this test
/// fails.
#[track_caller]
pub fn apart(test: impl FnOnce()) {
    apart_in(|program| Some(Command::new(program)), test);
}

/// Runs a test in processes that these commands start, one after the other; the test's arguments are added to
/// each command.
#[track_caller]
pub fn apart_in<C: IntoIterator<Item = Command>>(commands: impl FnOnce(&Path) -> C, test: impl FnOnce()) {
    // Miri cannot start processes.
    if var_os(INSIDE).is_some() || cfg!(miri) {
        return test();
    }
    let name = current().name().expect("a test's thread has its name").to_owned();
    for mut command in commands(&current_exe().expect("a test is a program")) {
        let output =
            command.args([&name, "--exact", "--nocapture", "--test-threads=1"]).env(INSIDE, "1").output();
        let output = output.expect("it can be run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {}\n{said}", output.status);
    }
}
