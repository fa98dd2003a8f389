//! Compiles the C twins of the kernels, each to a program of its own, if there is a C compiler. Finds the
//! files of the program `faces`.
//!
//! A twin that is not compiled is no error: its contenders are left out, and the reason is printed. The
//! variable `CC` names a compiler other than `cc`. In the same way, `faces` is left out if its files are not
//! found.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that have a twin.
const TWINS: [&str; 3] = ["matmul", "dot", "blackscholes"];

/// The compiler's options. It may use no faster mathematics than Rust's compiler, and no instructions that
/// Rust's does not use.
const OPTIONS: [&str; 5] = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", "-ffp-contract=off", "-pthread"];

/// The files of `faces`, in the folder of the crate `rustface`, and the variables that name them.
const FILES: [(&str, &str); 2] =
    [("FACES_MODEL", "model/seeta_fd_frontal_v1.0.bin"), ("FACES_PHOTOGRAPH", "test.png")];

fn main() {
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-env-changed=CC");
    // Another version of the crate is in another folder.
    println!("cargo::rerun-if-changed=Cargo.lock");
    if let Some(folder) = folder_of_rustface() {
        for (variable, file) in FILES {
            let file = folder.join(file);
            println!("cargo::rerun-if-changed={}", file.display());
            println!("cargo::rustc-env={variable}={}", file.display());
        }
    }
    compile_twins();
}

/// The folder of the crate `rustface`, if it has all files: Cargo knows the folder of each package.
fn folder_of_rustface() -> Option<PathBuf> {
    let cargo = env::var_os("CARGO")?;
    let target = env::var("TARGET").ok()?;
    // All packages were downloaded for the build, unless Cargo wants to know about more than that.
    [&["--offline"][..], &[]].into_iter().find_map(|more| {
        let args = ["metadata", "--format-version", "1", "--filter-platform", &target];
        let output = Command::new(&cargo).args(args).args(more).output().ok()?;
        let described = String::from_utf8(output.stdout).ok()?;
        // The only strings that are looked at are paths, in which JSON changes no more than this.
        let manifests =
            described.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
        let mut folders = manifests.map(|path| PathBuf::from(path.replace(r"\\", r"\")).with_file_name(""));
        folders.find(|folder| is_rustface(folder))
    })
}

/// Returns `true` if this is the folder of the crate.
fn is_rustface(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rustface"))
        && FILES.iter().all(|(_, file)| folder.join(file).is_file())
}

fn compile_twins() {
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
