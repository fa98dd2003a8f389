//! The test binaries, and the groups of tests in them.

use crate::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The packages whose tests run. Those of `tests/ui` are left out: they would compile all programs again for
/// each fault.
const PACKAGES: [&str; 6] = [
    "session-pipes",
    "session-pipes-macros",
    "session-pipes-skeleton",
    "session-pipes-remote",
    "pipes-tests",
    "pipes-remote-tests",
];
/// The test targets.
const TARGETS: [&str; 15] = [
    "table",
    "it",
    "skeleton",
    "stress",
    "memory",
    "random",
    "programs",
    "pipelines",
    "endless",
    "returned",
    "remote",
    "walks",
    "hostile",
    "farm",
    "remote-memory",
];
/// The engines of `pipes-remote` that its own tests need.
const FEATURES: &str = "session-pipes-remote/farm,session-pipes-remote/quic,session-pipes-remote/schema";

/// Tests that run together, as a process.
#[derive(Serialize, Deserialize)]
pub struct Group {
    /// The test target, or for unit tests the folder of the package.
    pub target: String,
    /// The module, or `-` for tests that are in none.
    pub module: String,
    pub binary: PathBuf,
    /// The folder of the package.
    pub folder: PathBuf,
    pub tests: Vec<String>,
    /// How long it takes without a fault.
    pub time: Duration,
    /// The numbers of the faults that it executes.
    pub executes: BTreeSet<usize>,
}

impl Group {
    /// The name for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.target, self.module)
    }
}

/// Builds the tests in the copy of the tree, and returns their groups.
pub fn build(copy: &Path, target: &Path) -> Result<Vec<Group>> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(copy).env("CARGO_TARGET_DIR", target).env_remove("PIPES_FAULT").stdout(Stdio::piped());
    // Races are repeated less often.
    cargo.env("PIPES_TENTH", "1");
    cargo.args(["test", "--no-run", "--quiet", "--message-format=json", "--lib", "--features", FEATURES]);
    cargo.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    cargo.args(TARGETS.iter().flat_map(|target| ["--test", target]));
    let output = cargo.output()?;
    let messages = String::from_utf8(output.stdout)?;
    let mut groups = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line)?;
        if message["message"]["level"] == "error" {
            eprintln!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
        }
        if message["reason"] == "compiler-artifact"
            && message["profile"]["test"] == true
            && let Some(binary) = message["executable"].as_str()
        {
            let is_test = message["target"]["kind"][0] == "test";
            let name = message["target"]["name"].as_str().ok_or("a target has no name")?;
            let name = if is_test { name.to_owned() } else { name.replace('_', "-") };
            let manifest = Path::new(message["manifest_path"].as_str().ok_or("a package has no manifest")?);
            groups.extend(split(&name, Path::new(binary), manifest.parent().ok_or("it has no folder")?)?);
        }
    }
    if !output.status.success() {
        return Err("the tests do not compile with the faults".into());
    }
    Ok(groups)
}

/// The groups of one binary.
fn split(target: &str, binary: &Path, folder: &Path) -> Result<Vec<Group>> {
    let output = Command::new(binary).current_dir(folder).args(["--list", "--format=terse"]).output()?;
    if !output.status.success() {
        return Err(format!("{} does not list its tests", binary.display()).into());
    }
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in String::from_utf8(output.stdout)?.lines().filter_map(|line| line.strip_suffix(": test")) {
        let module = test.split_once("::").map_or("-", |(module, _)| module);
        modules.entry(module.to_owned()).or_default().push(test.to_owned());
    }
    let group = |(module, tests)| Group {
        target: target.to_owned(),
        module,
        binary: binary.to_owned(),
        folder: folder.to_owned(),
        tests,
        time: Duration::ZERO,
        executes: BTreeSet::new(),
    };
    Ok(modules.into_iter().map(group).collect())
}
