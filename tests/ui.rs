//! Programs that must not compile, and what the compiler says of them.
#![cfg(not(pipes_loom))]

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
    programs.pass("ui/pass/*.rs");
    programs.compile_fail("ui/*.rs");
}
