//! A folder laid out as cargo does it, with a copy of the executable under test. Shell scripts stand for
//! cargo and for the packages that are built when they are first needed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder.
pub struct Target {
    pub folder: PathBuf,
    /// The copy.
    executable: PathBuf,
}

impl Target {
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the old folder goes");
        }
        let examples = folder.join("release/examples");
        fs::create_dir_all(&examples).expect("there is room");
        let original = crate::executable();
        let is_example = original.parent().is_some_and(|parent| parent.ends_with("examples"));
        let home = if is_example { examples } else { folder.join("release") };
        let executable = home.join(original.file_name().expect("it is a file"));
        fs::copy(&original, &executable).expect("there is room");
        Target { folder, executable }
    }

    /// Writes a script, by another process: otherwise a child of this process could inherit the file while it
    /// is open for writing, and then the script could not be started.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.join(name);
        let written = Command::new("sh")
            .args(["-c", "printf '#!/bin/sh\n%s\n' \"$1\" > \"$2\" && chmod +x \"$2\"", "sh", text])
            .arg(&file)
            .status();
        assert!(written.expect("there is a shell").success());
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o111, 0o111);
        file
    }

    /// Runs the copy with these words and this cargo.
    pub fn run(&self, cargo: &Path, words: &str) -> Output {
        Command::new(&self.executable)
            .args(words.split_whitespace())
            .env("CARGO", cargo)
            // Set to a value of its own, whatever the environment of the tests is.
            .env("CARGO_BUILD_TARGET", "another")
            .output()
            .expect("the command starts")
    }

    /// Writes the script that stands for the package that draws charts.
    pub fn charts(&self, draws: &str) {
        self.script("release/examples/pipes-charts", draws);
    }

    /// Runs the copy with these words, which have a chart drawn to this file, and returns what was to be
    /// drawn.
    pub fn drawn(&self, words: &str, file: &str) -> serde_json::Value {
        self.charts("cat > $(dirname $0)/described; echo drawn as $*");
        let cargo = self.script("cargo", "exit 0");
        let output = self.run(&cargo, &format!("{words} --plot {file}"));
        assert_eq!(output.status.code(), Some(0), "{}", crate::support::stderr(&output));
        let format = Path::new(file).extension().and_then(|name| name.to_str()).expect("it has a format");
        assert_eq!(fs::read_to_string(file).expect("the chart is there"), format!("drawn as {format}\n"));
        let described = fs::read(self.folder.join("release/examples/described")).expect("it was described");
        serde_json::from_slice(&described).expect("it is JSON")
    }
}
