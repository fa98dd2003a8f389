//! The build script: asks which compiler this is, and whether a sanitizer watches.

use std::env;
use std::process::Command;

/// The first version whose atomic pointers can be counted up.
const COUNTS_POINTERS: u32 = 91;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(pipes_exposed)");
    if minor_version().is_some_and(|minor| minor < COUNTS_POINTERS) {
        println!("cargo::rustc-cfg=pipes_exposed");
    }
    println!("cargo::rustc-check-cfg=cfg(pipes_no_cache)");
    // Only compilers that have the sanitizers say so. The sources cannot ask: the name is not stable.
    if env::var_os("CARGO_CFG_SANITIZE").is_some() {
        println!("cargo::rustc-cfg=pipes_no_cache");
    }
}

/// 88 for `rustc 1.88.0 (6b00bc388 2025-06-23)`. A compiler that does not say it is taken for a new one.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.strip_prefix("rustc 1.")?.split('.').next()?.parse().ok()
}
