//! The build script: writes the protocols that the test target `random` runs, and their drivers.

mod generator;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "support/random.rs"]
mod random;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=generator");
    println!("cargo::rerun-if-changed=support/random.rs");
    println!("cargo::rerun-if-env-changed={}", generator::SEED);
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    let write = |name: &str, text: String| {
        fs::write(Path::new(&folder).join(name), text).expect("the output can be written");
    };
    let first = env::var(generator::SEED).map_or(0, |seed| seed.parse().expect("a seed is a number"));
    write("random.rs", generator::random(first));
    write("scale.rs", generator::scale());
}
