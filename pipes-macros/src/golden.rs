//! Golden expansions: what comes out, to be read like code.
//!
//! `golden/NAME.proto.rs` is what stands between the braces of `proto!`, `golden/NAME.expanded.rs` is what it becomes. Run
//! with `BLESS=1` to write the latter anew, and review the difference like any other change. The drawing has tests of its own
//! and is left out.

use proc_macro2::TokenStream;
use std::fs;
use std::path::Path;

/// The expansion, laid out.
fn expanded(written: &str) -> String {
    let tokens: TokenStream =
        format!("pipes unsafe {{}} {written}").parse().expect("a protocol is made of tokens");
    let output = crate::compile(tokens);
    let file = syn::parse2(output).expect("an expansion is a Rust file");
    prettyplease::unparse(&file)
}

/// The expansion without the drawing.
fn without_drawing(mut expansion: String) -> String {
    while let (Some(from), Some(to)) = (expansion.find("<div"), expansion.find("</div>")) {
        expansion.replace_range(from..to + "</div>".len(), "(drawing)");
    }
    expansion
}

/// The drawing alone, as a file of its own: on a page that does not say what colour its text has.
fn drawing(expansion: &str) -> String {
    let from = expansion.find("<svg").expect("a page has a drawing");
    let to = expansion.find("</svg>").expect("it ends") + "</svg>".len();
    let style = "<style>svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#f0f6fc}}</style>";
    let lines = expansion[from..to].lines().map(str::trim_start);
    let mut svg: Vec<&str> = lines.collect();
    svg.insert(1, style);
    svg.join("\n") + "\n"
}

/// Is this what is recorded? With `BLESS` it is.
fn is_recorded(path: &Path, text: &str) -> bool {
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, text).expect("the golden file can be written");
    }
    fs::read_to_string(path).unwrap_or_default() == text
}

#[test]
fn the_readme_shows_its_protocol() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("it is there");
    let (_, protocol) = readme.split_once("pipes::proto! {").expect("it begins with a protocol");
    let (protocol, _) = protocol.split_once("\n}").expect("which ends");
    let drawing = drawing(&expanded(protocol));
    assert!(is_recorded(&root.join("pipes/docs/game.svg"), &drawing), "BLESS=1 draws it anew");
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
        let (path, expansion) =
            (folder.join(format!("{name}.expanded.rs")), without_drawing(expanded(&written)));
        if !is_recorded(&path, &expansion) {
            different.push(name);
        }
    }
    assert!(different.is_empty(), "other expansions than recorded (BLESS=1 records them): {different:?}");
}
