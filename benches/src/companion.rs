//! Separate packages, which are built when they are first needed, so that the first command compiles less.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::console::note;
use crate::failure::Failure;

/// A package with an executable. The executable is an example, so that the workspace has only one binary and
/// `cargo run` finds it.
#[derive(Debug)]
pub struct Companion {
    /// The name of the package, and of the example.
    pub name: &'static str,
    /// Its manifest.
    pub manifest: &'static str,
    /// What it contains, in a few words.
    pub subject: &'static str,
}

/// The executable of a companion.
#[derive(Debug)]
pub struct Built(PathBuf);

impl Companion {
    /// Builds it, unless it is up to date, in the profile and the target folder of this executable.
    pub fn built(&self) -> Result<Built, Failure> {
        let here = env::current_exe()
            .map_err(|error| Failure::io("this program does not know where it is", &error))?;
        // This executable may be a companion itself.
        let mut folders = here.ancestors().skip(1).skip_while(|folder| folder.ends_with("examples"));
        let profile = folders.next().unwrap_or(Path::new(""));
        let examples = profile.join("examples");
        if !examples.is_dir() {
            return Err(Failure::Run(format!(
                "{} cannot be built beside this copy of the program; start it with `cargo run` in its repository",
                self.subject
            )));
        }
        let executable = examples.join(format!("{}{EXE_SUFFIX}", self.name));
        let is_there = executable.exists();
        if is_there && !Path::new(self.manifest).exists() {
            return Ok(Built(executable));
        }
        if !is_there {
            note(&format!("building {}\n", self.subject));
        }
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        // `CARGO_BUILD_TARGET` would make cargo build into another folder than this program's. Stdout is for
        // results.
        build.env_remove("CARGO_BUILD_TARGET").stdout(Stdio::null());
        build.args(["build", "--quiet", "--manifest-path", self.manifest, "--example", self.name]);
        build.arg("--profile").arg(match profile.file_name() {
            Some(name) if name != "debug" => name,
            _ => OsStr::new("dev"),
        });
        if let Some(target) = profile.parent() {
            build.arg("--target-dir").arg(target);
        }
        match build.status() {
            Ok(status) if status.success() && executable.exists() => Ok(Built(executable)),
            Ok(_) => Err(Failure::Run(format!("{} could not be built", self.subject))),
            // Without cargo, the existing executable is used as it is.
            Err(_) if is_there => Ok(Built(executable)),
            Err(error) => Err(Failure::io(
                &format!("{} could not be built, cargo does not start", self.subject),
                &error,
            )),
        }
    }
}

impl Built {
    /// Replaces this process by the executable, with these arguments.
    #[cfg(unix)]
    pub fn run(&self, words: &[OsString]) -> Result<ExitCode, Failure> {
        use std::os::unix::process::CommandExt;
        Err(self.does_not_start(&Command::new(&self.0).args(words).exec()))
    }

    /// Runs it with these arguments, and returns its exit code.
    #[cfg(not(unix))]
    pub fn run(&self, words: &[OsString]) -> Result<ExitCode, Failure> {
        self.wait(words)
    }

    /// Runs it with these arguments, and returns its exit code.
    pub fn wait(&self, words: &[OsString]) -> Result<ExitCode, Failure> {
        let status = Command::new(&self.0).args(words).status();
        let status = status.map_err(|error| self.does_not_start(&error))?;
        let Some(code) = status.code() else {
            return Err(Failure::Run(format!("{} was ended by a {status}", self.0.display())));
        };
        Ok(u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from))
    }

    /// Runs it with these arguments and this text on its stdin, and returns what it prints.
    pub fn answer(&self, words: &[&str], input: &[u8]) -> Result<Vec<u8>, Failure> {
        let piped = Command::new(&self.0)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = piped.map_err(|error| self.does_not_start(&error))?;
        // Stdin is closed once the text is written. If the executable does not read all of it, its exit code
        // reports that.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
        let output = child.wait_with_output().map_err(|error| self.does_not_start(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let problem = said.lines().rfind(|line| !line.is_empty());
        Err(Failure::Run(problem.map_or_else(|| output.status.to_string(), str::to_owned)))
    }

    fn does_not_start(&self, error: &io::Error) -> Failure {
        Failure::io(&format!("{} does not start", self.0.display()), error)
    }
}
