//! Golden expansions: recorded output of the macro, to be reviewed like code.
//!
//! `golden/NAME.proto.rs` is the text between the braces of `proto!`, `golden/NAME.expanded.rs` is its
//! expansion. Run with `BLESS=1` to record the expansions again, and review the difference like any other
//! change. The drawing and the diagrams have tests of their own and are left out.

use proc_macro2::TokenStream;
use std::fs;
use std::path::Path;

/// Returns the expansion, formatted.
fn expanded(written: &str) -> String {
    let tokens: TokenStream =
        format!("pipes unsafe {{}} {written}").parse().expect("a protocol is made of tokens");
    let output = crate::compile(tokens);
    let file = syn::parse2(output).expect("an expansion is a Rust file");
    prettyplease::unparse(&file)
}

/// Returns the expansion without the drawing, and without the diagrams, which would be long lines.
fn without_drawing(mut expansion: String) -> String {
    for begin in [r#""stateDiagram-v2\n"#, r#""digraph "#] {
        let from = expansion.find(begin).expect("each protocol has its diagrams");
        let length = expansion[from..].find(r#"\n""#).expect("it ends with a new line");
        expansion.replace_range(from..from + length + r#"\n""#.len(), "\"(diagram)\"");
    }
    while let (Some(from), Some(to)) = (expansion.find("<div"), expansion.find("</div>")) {
        expansion.replace_range(from..to + "</div>".len(), "(drawing)");
    }
    expansion
}

/// Returns the drawing of a document's first protocol, as it appears on a page of the documentation.
fn drawing(document: &str) -> String {
    let (_, protocol) = document.split_once("pipes::proto! {").expect("there is a protocol");
    let (protocol, _) = protocol.split_once("\n}").expect("it ends");
    let expansion = expanded(protocol);
    let from = expansion.find("<div").expect("a page has a drawing");
    let to = expansion.find("</div>").expect("it ends") + "</div>".len();
    let lines: Vec<&str> = expansion[from..to].lines().map(str::trim_start).collect();
    lines.join("\n") + "\n"
}

/// Returns the drawing as a separate SVG file, for a page that does not pass on the colour of its text.
fn picture(document: &str) -> String {
    let style = "<style>svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#f0f6fc}}</style>";
    let drawing = drawing(document);
    let mut svg: Vec<&str> = drawing.lines().filter(|line| !line.contains("div")).collect();
    svg.insert(1, style);
    svg.join("\n") + "\n"
}

/// Returns `true` if the file has this text. With `BLESS` the text is written to the file first.
pub(crate) fn is_recorded(path: &Path, text: &str) -> bool {
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, text).expect("the golden file can be written");
    }
    fs::read_to_string(path).unwrap_or_default() == text
}

#[test]
fn the_readme_shows_its_protocol() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("it is there");
    assert!(is_recorded(&root.join("pipes/docs/game.svg"), &picture(&readme)), "BLESS=1 draws it anew");
}

#[test]
fn each_chapter_of_the_guide_shows_its_protocol() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pipes/docs/guide");
    let files = fs::read_dir(folder).expect("the guide is there");
    let files = files.map(|file| file.expect("it can be listed").path());
    let chapters: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    assert!(chapters.len() >= 8, "only {} chapters", chapters.len());
    for chapter in chapters {
        let drawing = drawing(&fs::read_to_string(&chapter).expect("it was listed"));
        assert!(is_recorded(&chapter.with_extension("svg"), &drawing), "BLESS=1 draws {chapter:?} anew");
    }
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
