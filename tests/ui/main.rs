//! Programs that must not compile, and what the compiler says of them.
//!
//! A program takes long to compile, so each shows many mistakes. The programs in `guide`, and `guess_twice`,
//! are those of the documentation.

mod adopt;

use std::path::Path;
use std::process::Command;

/// What the compiler says differs from one to the next: this is the one that said it.
const COMPILER: &str = "1.95";

#[test]
fn programs_that_must_not_compile() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().expect("there is a compiler");
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    if !version.starts_with(&format!("rustc {COMPILER}.")) {
        eprintln!("skipped: the messages are those of rustc {COMPILER}, this is {}", version.trim());
        assert!(version.starts_with("rustc "), "that is a compiler");
        return;
    }
    let programs = trybuild::TestCases::new();
    programs.compile_fail("proto/*.rs");
    programs.compile_fail("use/*.rs");
    programs.compile_fail("remote/*.rs");
    programs.compile_fail("guide/*.rs");
    programs.compile_fail("select/*.rs");
    programs.compile_fail("forbidden/*.rs");
}

/// Each problem that the macro reports has a module in one of the programs about protocols.
#[test]
fn every_problem_has_its_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = here.join("../../pipes-macros/src/diag.rs");
    let source = std::fs::read_to_string(source).expect("the problems are listed there");
    let mut modules = Vec::new();
    for program in std::fs::read_dir(here.join("proto")).expect("the programs are there") {
        let path = program.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(path).expect("it was listed");
            let names = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(" {"));
            modules.extend(names.map(|name| name.trim_start_matches("r#").to_owned()));
        }
    }
    let mut problems: Vec<_> = problems(&source).map(snake_case).collect();
    modules.sort_unstable();
    problems.sort_unstable();
    assert_eq!(modules, problems);
}

/// The variants of `enum Problem`: the words that begin with a capital where its body is indented once.
fn problems(source: &str) -> impl Iterator<Item = &str> {
    let (_, body) = source.split_once("enum Problem {\n").expect("it is written like this");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let lines = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    lines.map(|line| line.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or(line))
}

/// `NoProtocol` as `no_protocol`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
