//! Packages of their own, which are built when they are first needed: the command compiles in half the time without
//! them.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::console::note;
use crate::failure::Failure;

/// A package with an executable. That is an example, so the workspace has one binary and `cargo run` finds it.
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
        let executable = profile.join("examples").join(format!("{}{EXE_SUFFIX}", self.name));
        if !executable.exists() {
            note(&format!("building {}, once\n", self.subject));
        }
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--manifest-path", self.manifest, "--example", self.name]);
        build.arg("--profile").arg(match profile.file_name() {
            Some(name) if name != "debug" => name,
            _ => OsStr::new("dev"),
        });
        if let Some(target) = profile.parent() {
            build.arg("--target-dir").arg(target);
        }
        match build.status() {
            Ok(status) if status.success() => Ok(Built(executable)),
            Ok(_) => Err(Failure::Run(format!("{} could not be built", self.subject))),
            // Where there is no cargo, nothing was changed.
            Err(error) if error.kind() == ErrorKind::NotFound && executable.exists() => Ok(Built(executable)),
            Err(error) => Err(Failure::io(
                &format!("{} could not be built, cargo does not start", self.subject),
                &error,
            )),
        }
    }
}

impl Built {
    /// Runs it with these arguments, and returns its exit code.
    pub fn run<W: AsRef<OsStr>>(&self, words: &[W]) -> Result<ExitCode, Failure> {
        let status = Command::new(&self.0).args(words).status();
        let status = status.map_err(|error| self.does_not_start(&error))?;
        // No code: it was ended by a signal.
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
    }
    /// Runs it with these arguments and this text on its stdin, and returns what it prints.
    pub fn answer<W: AsRef<OsStr>>(&self, words: &[W], input: &[u8]) -> Result<Vec<u8>, Failure> {
        let piped = Command::new(&self.0)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = piped.map_err(|error| self.does_not_start(&error))?;
        // Closed when it is written. If it is not read to its end, the exit code says so.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
        let output = child.wait_with_output().map_err(|error| self.does_not_start(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(Failure::Run(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()))
    }

    fn does_not_start(&self, error: &io::Error) -> Failure {
        Failure::io(&format!("{} does not start", self.0.display()), error)
    }
}
