//! Golden expansions: what comes out, to be read like code.
//!
//! `golden/NAME.proto.rs` is what stands between the braces of `proto!`, `golden/NAME.expanded.rs` is what it becomes. Run
//! with `BLESS=1` to write the latter anew, and review the difference like any other change. The drawing has tests of its own
//! and is left out.

use proc_macro2::TokenStream;
use std::fs;
use std::path::Path;

/// The expansion, laid out, without the drawing.
fn expanded(written: &str) -> String {
    let tokens: TokenStream =
        format!("pipes unsafe {{}} {written}").parse().expect("a protocol is made of tokens");
    let output = crate::compile(tokens);
    let file = syn::parse2(output).expect("an expansion is a Rust file");
    let mut text = prettyplease::unparse(&file);
    while let (Some(from), Some(to)) = (text.find("<div"), text.find("</div>")) {
        text.replace_range(from..to + "</div>".len(), "(drawing)");
    }
    text
}

#[test]
fn expansions_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the golden files are there")
        .filter_map(|entry| entry.expect("they can be listed").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".proto.rs").map(String::from))
        .collect();
    names.sort();
    assert!(names.len() >= 6, "only {} golden files", names.len());
    let mut different = Vec::new();
    for name in names {
        let written = fs::read_to_string(folder.join(format!("{name}.proto.rs"))).expect("it was listed");
        let (path, expansion) = (folder.join(format!("{name}.expanded.rs")), expanded(&written));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &expansion).expect("the golden file can be written");
        }
        if fs::read_to_string(&path).unwrap_or_default() != expansion {
            different.push(name);
        }
    }
    assert!(different.is_empty(), "other expansions than recorded (BLESS=1 records them): {different:?}");
}
