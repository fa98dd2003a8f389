//! The build script. It writes the protocols that the test target `random` runs, with their drivers, and for
//! the target `hygiene` those of `pipes-macros/golden`, each in a module of its own.

#[expect(dead_code, reason = "the tests between programs use the rest")]
mod generator;

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=generator");
    println!("cargo::rerun-if-env-changed={}", generator::SEED);
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    let write = |name: &str, text: String| {
        fs::write(Path::new(&folder).join(name), text).expect("the output can be written");
    };
    let first = env::var(generator::SEED).map_or(0, |seed| seed.parse().expect("a seed is a number"));
    write("random.rs", generator::random(first));
    write("scale.rs", generator::scale::scale());
    write("golden.rs", golden());
}

/// The protocols whose expansions are recorded, each in a call of `proto!`.
fn golden() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pipes-macros/golden");
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = fs::read_dir(folder).expect("the golden files are there");
    let mut files: Vec<_> = files.map(|file| file.expect("they can be listed").path()).collect();
    files.sort();
    let mut text = String::new();
    for path in files {
        let name = path.file_name().expect("it has one").to_string_lossy();
        if let Some(name) = name.strip_suffix(".proto.rs") {
            let protocols = fs::read_to_string(&path).expect("it was listed");
            text += &format!(
                "mod g{name} {{\n    #[allow(unused_imports)]\n    use super::around::*;\n    pipes::proto! {{\n{protocols}\n    }}\n}}\n"
            );
        }
    }
    text
}
