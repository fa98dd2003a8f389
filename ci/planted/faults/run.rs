//! One run of a group.

use crate::Result;
use crate::group::Group;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The first test that failed; nothing if the process aborted.
    Failed(Option<String>),
    TookTooLong,
}

/// How much longer than without a fault a run may take, and how much in addition.
const LONGER: (u32, Duration) = (5, Duration::from_secs(6));
/// The same for a test that is watched, which then fails.
const PATIENCE: (u32, Duration) = (2, Duration::from_secs(4));
/// How long a run and a test may take as long as the time without a fault is not known.
const LONGEST: (Duration, Duration) = (Duration::from_secs(180), Duration::from_secs(60));
/// The random tests are shorter than usual.
const SIZES: [(&str, &str); 5] = [
    ("PIPES_FARM", "2000"),
    ("PIPES_FARMS", "20"),
    ("PIPES_FLOOD", "5000"),
    ("PIPES_HOSTILE", "900"),
    ("PIPES_PROGRAMS", "60"),
];

/// Runs a group with a fault, and ends it when a test fails.
pub fn run(group: &Group, fault: &str) -> Result<(Outcome, Duration)> {
    let limits = [LONGER, PATIENCE].map(|(factor, more)| group.time * factor + more);
    let (limit, patience) = if group.time.is_zero() { LONGEST } else { limits.into() };
    let begin = Instant::now();
    let mut process = Command::new(&group.binary)
        .arg("--exact")
        .args(&group.tests)
        .current_dir(&group.folder)
        .env("CARGO_MANIFEST_DIR", &group.folder)
        .env("PIPES_FAULT", fault)
        .env("PIPES_PATIENCE", patience.as_secs().to_string())
        .envs(SIZES)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let output = BufReader::new(process.stdout.take().ok_or("it has no output")?);
    let (ended, end) = channel();
    thread::spawn(move || {
        let test = |line: String| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned());
        let _ = ended.send(output.lines().map_while(std::result::Result::ok).find_map(test));
    });
    let outcome = match end.recv_timeout(limit) {
        Ok(Some(test)) => Outcome::Failed(Some(test)),
        Ok(None) if process.wait()?.success() => Outcome::Passed,
        Ok(None) | Err(RecvTimeoutError::Disconnected) => Outcome::Failed(None),
        Err(RecvTimeoutError::Timeout) => Outcome::TookTooLong,
    };
    // With the processes that it has started.
    let group = format!("-{}", process.id());
    Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
    process.wait()?;
    Ok((outcome, begin.elapsed()))
}
