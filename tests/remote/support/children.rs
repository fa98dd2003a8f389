//! Other processes: this executable, which runs the test `as_another_process` of its target and nothing
//! else.

use pipes_tests::this_program;
use std::io::{BufRead, BufReader, Write, stdin};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::{env, io};

/// What another process is to be.
const ROLE: &str = "PIPES_TEST_ROLE";
/// It prints this before what it says: the test harness prints other lines.
const SAYS: &str = "says ";

/// What this process is to be, if it is another one: a word, and the rest.
pub fn role() -> Option<(String, String)> {
    let role = env::var(ROLE).ok()?;
    let (word, rest) = role.split_once(' ').unwrap_or((&role, ""));
    Some((word.to_owned(), rest.to_owned()))
}

/// Says something to the process that has started this one.
pub fn say(what: impl std::fmt::Display) {
    println!("{SAYS}{what}");
}

/// Waits until this process is killed, or the one that has started it has gone.
pub fn wait_for_ever() {
    io::copy(&mut stdin(), &mut io::sink()).expect("it can be read");
}

/// The command for another process in this role. A `shell` limits what it may use, if it is not empty.
pub fn command(test: &str, role: &str, shell: &str) -> Command {
    let mut command = this_program();
    if !shell.is_empty() {
        let program = std::mem::replace(&mut command, Command::new("sh"));
        command.args(["-c", &format!("{shell} exec \"$0\" \"$@\"")]);
        command.arg(program.get_program()).args(program.get_args());
    }
    command.args([test, "--exact", "--nocapture"]).env(ROLE, role);
    command
}

/// Another process, which is killed when this is dropped.
#[derive(Debug)]
pub struct Another {
    /// It.
    pub child: Child,
    output: BufReader<ChildStdout>,
}

impl Another {
    /// Starts another process in this role: the module of its test, if it has one, and what it is to be.
    pub fn start(test: &str, role: &str) -> Self {
        Self::of(command(test, role, ""))
    }

    /// Starts this command.
    pub fn of(mut command: Command) -> Self {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Another { child, output }
    }

    /// The next thing that it says.
    pub fn says(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("it can be read"), 0, "it has ended");
            if let Some((_, said)) = line.split_once(SAYS) {
                return said.trim().to_owned();
            }
        }
    }

    /// Says this to it.
    pub fn tell(&mut self, what: &str) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{what}").expect("it reads");
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.expect("there is a program `kill`").success());
    }

    /// Kills it, and waits until it has ended.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    /// Waits for its end, and asserts that it has not failed.
    pub fn ends_well(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it can be waited for").success(), "it has failed");
    }
}

impl Drop for Another {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
