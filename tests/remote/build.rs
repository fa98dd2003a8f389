//! The build script. It writes the protocols that the test target `walks` runs, with what walks them.

#[expect(dead_code, reason = "the tests inside of one program use the rest")]
#[path = "../generator/mod.rs"]
mod generator;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../generator");
    println!("cargo::rerun-if-env-changed={}", generator::SEED);
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    let first = env::var(generator::SEED).map_or(0, |seed| seed.parse().expect("a seed is a number"));
    let text = generator::remote::remote(first);
    fs::write(Path::new(&folder).join("walks.rs"), text).expect("the output can be written");
}
