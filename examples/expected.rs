//! Tests of the course and the cookbook: every example prints its expected output, and its header states its
//! place in the course.
//!
//! `BLESS=1 cargo test -p pipes-examples` writes the expected output again. Review the difference before you
//! commit it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The folder where cargo puts the compiled examples: beside the folder of this test.
fn built() -> PathBuf {
    let mut path = env::current_exe().expect("a test knows where it is");
    path.pop();
    path.pop();
    path.join("examples")
}

/// The names of the files with this ending in a folder of the package, without the ending.
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

fn recipes() -> BTreeSet<String> {
    names("cookbook", ".rs")
}

/// The text of a file of the package.
fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_example_prints_what_is_expected() {
    let mut wrong = Vec::new();
    let all = &examples() | &recipes();
    for name in &all {
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
    assert_eq!(all, names("expected", ".txt"), "an expected output for each example, and no other");
}

#[test]
fn course_and_files_agree() {
    let examples = examples();
    let (course, manifest) = (read("README.md"), read("Cargo.toml"));
    let rows =
        course.lines().filter_map(|line| line.strip_prefix("| [")?.split_once("](")).map(|(name, _)| name);
    assert!(rows.eq(&examples), "the table of the course has a row for each example, in order");
    for name in &examples {
        assert!(course.contains(&format!("| [{name}]({name}.rs) |")), "{name}: the course points elsewhere");
        let target = format!("[[example]]\nname = \"{name}\"\npath = \"{name}.rs\"\n");
        assert!(manifest.contains(&target), "{name} is not a target of the package");
        let lines = read(&format!("{name}.rs")).lines().count();
        assert!(lines <= 80, "{name} has {lines} lines; an example has at most 80");
    }
}

#[test]
fn cookbook_and_files_agree() {
    let (page, manifest) = (read("cookbook/README.md"), read("Cargo.toml"));
    for name in recipes() {
        assert!(page.contains(&format!("[`{name}`]({name}.rs)")), "{name}: the cookbook does not mention it");
        assert!(page.contains(&format!("\n| [`{name}`](#")), "{name}: the table of recipes lacks it");
        let target = format!("[[example]]\nname = \"{name}\"\npath = \"cookbook/{name}.rs\"\n");
        assert!(manifest.contains(&target), "{name} is not a target of the package");
        let header = format!("//!     cargo run --example {name}\n");
        assert!(read(&format!("cookbook/{name}.rs")).contains(&header), "{name}: how is it run?");
    }
}

#[test]
fn headers_say_where_an_example_stands() {
    let examples: Vec<String> = examples().into_iter().collect();
    for (at, name) in examples.iter().enumerate() {
        let text = read(&format!("{name}.rs"));
        let header: Vec<&str> =
            text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        let number = format!("{:02}", at + 1);
        assert!(name.starts_with(&format!("{number}_")), "{name}: the numbers have a gap before it");
        assert!(header[0].starts_with(&format!("{number} — ")), "{name}: the title has another number");
        let command = format!("cargo run --example {name}");
        assert!(header.contains(&command.as_str()), "{name}: the header does not say how to run it");
        let prose = header.join(" ");
        let before = at.checked_sub(1).map(|before| format!("Before: {}.", examples[before]));
        let next = examples.get(at + 1).map(|next| format!("Next: {next}."));
        let told = ["You will see: ".into(), "New here: ".into()].into_iter().chain(before).chain(next);
        for words in told {
            assert!(prose.contains(&words), "{name}: the header lacks {words:?}");
        }
    }
}
