//! Programs in a package of their own, which is built when one of them is first requested: the command compiles in half
//! the time without them.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::failure::Failure;
use crate::report::note;

/// A package with programs. Its executable is an example, so the workspace has one binary and `cargo run` finds it.
#[derive(Debug)]
pub struct Companion {
    /// The name of the package, and of the example.
    pub name: &'static str,
    /// Its manifest.
    pub manifest: &'static str,
    /// What it contains, in a few words.
    pub subject: &'static str,
    /// What its `list` prints.
    pub list: &'static str,
}

/// The executable of a companion.
#[derive(Debug)]
pub struct Built(PathBuf);

impl Companion {
    /// The names of its programs, and what each does.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let heads = self.list.lines().filter(|line| !line.starts_with(' '));
        heads.filter_map(|line| line.split_once(": "))
    }

    /// Builds it, unless it is up to date, in the profile and the target folder of this executable.
    pub fn built(&self) -> Result<Built, Failure> {
        let here = env::current_exe()
            .map_err(|error| Failure::io("this program does not know where it is", &error))?;
        let profile = here.parent().unwrap_or(Path::new(""));
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
    pub fn run(&self, words: &[OsString]) -> Result<ExitCode, Failure> {
        let status = Command::new(&self.0).args(words).status();
        let status =
            status.map_err(|error| Failure::io(&format!("{} does not start", self.0.display()), &error))?;
        // No code: it was ended by a signal.
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
    }
}
