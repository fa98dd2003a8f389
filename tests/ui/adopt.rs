//! A crate of a user's own, which depends on this one as the README says.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// More packages than this are not locked for those who depend on the library.
const MOST_LOCKED: usize = 10;

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("it is there")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What stands in the README's first block of this language.
fn block(readme: &str, language: &str) -> String {
    let (_, behind) = readme.split_once(&format!("```{language}\n")).expect("there is one");
    behind.split_once("```").expect("it ends").0.to_owned()
}

/// Makes the crate, beside this repository, and runs cargo in it.
fn cargo(name: &str, program: &str, arguments: &[&str]) -> PathBuf {
    let around = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adopt").join(name);
    let mine = around.join("mine");
    fs::create_dir_all(mine.join("src")).expect("there is room");
    #[cfg(unix)]
    if !around.join("pipes").exists() {
        std::os::unix::fs::symlink(root().canonicalize().expect("it is there"), around.join("pipes"))
            .expect("there is room");
    }
    let manifest = format!(
        "[package]\nname = \"mine\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{}",
        block(&readme(), "toml")
    );
    let _ = fs::remove_file(mine.join("Cargo.lock"));
    fs::write(mine.join("Cargo.toml"), manifest).expect("there is room");
    fs::write(mine.join("src/main.rs"), program).expect("there is room");
    let cargo = env::var_os("CARGO").expect("cargo runs the tests");
    let output = Command::new(cargo)
        .args(arguments)
        // All of it was downloaded for the tests.
        .args(["--offline", "--quiet"])
        .current_dir(&mine)
        .env("CARGO_TARGET_DIR", around.join("target"))
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    mine
}

#[test]
#[cfg(unix)]
fn the_first_program_runs() {
    cargo("first", &block(&readme(), "rust"), &["run"]);
}

#[test]
#[cfg(unix)]
fn few_packages_are_locked() {
    let mine = cargo("locked", "fn main() {}", &["generate-lockfile"]);
    let lock = fs::read_to_string(mine.join("Cargo.lock")).expect("it was made");
    let locked = lock.matches("[[package]]").count() - 1;
    assert!((1..=MOST_LOCKED).contains(&locked), "{locked} packages:\n{lock}");
}

/// The compiler says each line of what a document shows, which leaves out line numbers, and lines where it
/// has dots.
fn is_said(shown: &str, refused: &str) {
    fn said(line: &str) -> &str {
        let said = line.split_once('|').map_or(line, |(_, said)| said);
        said.trim_start_matches(|c: char| c.is_ascii_digit() || " +".contains(c)).trim_end()
    }
    let refused: Vec<_> = refused.lines().map(said).collect();
    assert!(shown.lines().count() >= 3);
    for line in shown.lines().filter(|line| *line != "...") {
        assert!(refused.contains(&said(line)), "the compiler does not say: {line}");
    }
}

#[test]
fn the_wrong_step_is_refused_as_shown() {
    is_said(&block(&readme(), "text"), include_str!("use/guess_twice.stderr"));
}

#[test]
fn the_mistakes_of_the_guide_are_refused_as_shown() {
    let chapters = fs::read_dir(root().join("pipes/docs/guide")).expect("it is there");
    let chapters = chapters.map(|chapter| chapter.expect("it can be listed").path());
    let chapters: Vec<_> =
        chapters.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    assert!(chapters.len() >= 8, "only {} chapters", chapters.len());
    for chapter in chapters {
        let name = chapter.file_stem().expect("it has a name");
        let mistake = root().join("tests/ui/guide").join(name).with_extension("stderr");
        let refused = fs::read_to_string(mistake).expect("each chapter has a mistake");
        is_said(&block(&fs::read_to_string(&chapter).expect("it was listed"), "text"), &refused);
    }
}
