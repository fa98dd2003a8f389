//! The course's check: every example prints what `expected/` says.
//!
//! `BLESS=1 cargo test -p pipes-examples` writes the files anew; read the difference before you commit it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where cargo has put the examples: beside the folder of this test.
fn built() -> PathBuf {
    let mut path = env::current_exe().expect("a test knows where it is");
    path.pop();
    path.pop();
    path.join("examples")
}

/// The files of this ending in a folder of the package, by name.
fn names(folder: &str, ending: &str) -> BTreeSet<String> {
    fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .expect("the folder is in the package")
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("names are plain"))
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect()
}

fn examples() -> BTreeSet<String> {
    names(".", ".rs").into_iter().filter(|name| name.starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn every_example_prints_what_is_expected() {
    let mut wrong = Vec::new();
    for name in examples() {
        let program = built().join(format!("{name}{}", env::consts::EXE_SUFFIX));
        let run =
            Command::new(&program).output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let printed = String::from_utf8(run.stdout).expect("examples print text");
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{name} failed: {errors}");
        assert_eq!(errors, "", "{name} complained");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected").join(format!("{name}.txt"));
        if env::var_os("BLESS").is_some() {
            fs::write(&file, &printed).expect("the folder can be written to");
        }
        if fs::read_to_string(&file).unwrap_or_default() != printed {
            wrong.push(format!("{name} prints\n{printed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn course_and_files_agree() {
    let course = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))
        .expect("there is a course");
    let examples = examples();
    assert_eq!(examples, names("expected", ".txt"), "an expected output for each example, and no other");
    for name in &examples {
        assert!(course.contains(name.as_str()), "{name} is missing from the course");
        let lines = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.rs")))
            .expect("it was just listed")
            .lines()
            .count();
        assert!(lines <= 80, "{name} has {lines} lines; an example has at most 80");
    }
}
