//! Compiles the C twins of the kernels, each to a program of its own, if there is a C compiler.
//!
//! A twin that is not compiled is no error: its contenders are left out, and the reason is printed. The
//! variable `CC` names a compiler other than `cc`.

use std::env;
use std::path::Path;
use std::process::Command;

/// The programs that have a twin.
const TWINS: [&str; 3] = ["matmul", "dot", "blackscholes"];

/// The compiler's options. It may use no faster mathematics than Rust's compiler, and no instructions that
/// Rust's does not use.
const OPTIONS: [&str; 5] = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", "-ffp-contract=off", "-pthread"];

fn main() {
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-env-changed=CC");
    // When cross-compiling, `cc` may not compile for the machine on which the benchmarks will run.
    if env::var_os("HOST") != env::var_os("TARGET") {
        return;
    }
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let Some(folder) = env::var_os("OUT_DIR") else { return };
    for name in TWINS {
        let program = Path::new(&folder).join(name);
        let compiled = Command::new(&compiler)
            .args(OPTIONS)
            .arg(format!("c/{name}.c"))
            .arg("-o")
            .arg(&program)
            .arg("-lm")
            .status();
        if compiled.is_ok_and(|status| status.success()) {
            println!("cargo::rustc-env=TWIN_{}={}", name.to_uppercase(), program.display());
        }
    }
}
