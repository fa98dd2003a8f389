//! Tests in processes of their own.

use std::env::{current_exe, var, var_os};
use std::process::Command;
use std::thread::current;

/// Set in a process that was started for one test.
const INSIDE: &str = "PIPES_APART";

/// The command that starts this test program again. If it is built for another machine, `PIPES_RUNNER` is the
/// command of an emulator.
pub fn this_program() -> Command {
    let program = current_exe().expect("a test is a program");
    let runner = var("PIPES_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(emulator) = words.next() else { return Command::new(program) };
    let mut command = Command::new(emulator);
    command.args(words).arg(program);
    command
}

/// Runs a test in a process of its own, by running it again there: if the process aborts, only this test
/// fails.
#[track_caller]
pub fn apart(test: impl FnOnce()) {
    apart_in(Some, test);
}

/// Runs a test in processes that these commands start, one after the other; they are made of that of
/// [`this_program`], and the test's arguments are added to each.
#[track_caller]
pub fn apart_in<C: IntoIterator<Item = Command>>(commands: impl FnOnce(Command) -> C, test: impl FnOnce()) {
    // Miri cannot start processes.
    if var_os(INSIDE).is_some() || cfg!(miri) {
        return test();
    }
    let name = current().name().expect("a test's thread has its name").to_owned();
    for mut command in commands(this_program()) {
        let output =
            command.args([&name, "--exact", "--nocapture", "--test-threads=1"]).env(INSIDE, "1").output();
        let output = output.expect("it can be run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {}\n{said}", output.status);
    }
}
