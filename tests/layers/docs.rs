//! The size of documentation: the width of its code, which a page scrolls if it is wider, the width of its
//! lines, and the length of the pages for contributors.

use crate::source::{Source, root, workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The columns of code that a page shows.
const WIDE: usize = 90;
/// The most columns of a line of prose, as of a line of code.
const WIDTH: usize = 110;
/// The most words of `ARCHITECTURE.md`, which is read in a quarter of an hour.
const ARCHITECTURE: usize = 2500;
/// The most words of a page of decisions, which stands beside the code.
const DECISIONS: usize = 1800;

/// A page that has too many words: `ARCHITECTURE.md`, or a `README.md` in a folder of sources.
pub fn too_long(path: &str, text: &str) -> Option<String> {
    let is_beside_code = path.ends_with("/README.md") && path.split('/').any(|folder| folder == "src");
    let most = match path {
        "ARCHITECTURE.md" => ARCHITECTURE,
        _ if is_beside_code => DECISIONS,
        _ => return None,
    };
    let words = text.split_whitespace().count();
    (words > most).then(|| format!("{path}: {words} words, and {most} are the most"))
}

/// The Markdown files and scripts of all folders, with their paths from the workspace's root and their texts.
pub fn documents() -> Vec<(String, String)> {
    let folders = [
        ".",
        ".ci",
        "ci",
        "examples",
        "examples/cookbook",
        "examples/iroh",
        "examples/timely",
        "benches",
        "pipes",
        "pipes/docs",
        "pipes/docs/guide",
        "pipes-macros",
        "pipes-skeleton",
        "pipes-skeleton/docs",
        "pipes-top",
        "tests",
    ];
    // Pages of decisions may stand in any folder of sources.
    let sources = workspace().iter().filter_map(|file| Path::new(&file.path).parent());
    let sources = sources.filter(|folder| folder.iter().any(|name| name == "src"));
    let folders: BTreeSet<_> = folders.into_iter().map(Path::new).chain(sources).collect();
    let mut files = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            let is_script = folder == Path::new(".ci") || path.extension().is_some_and(|kind| kind == "sh");
            if is_script || path.extension().is_some_and(|kind| kind == "md") {
                let text = fs::read_to_string(&path).expect("it was listed");
                let path = folder.join(path.file_name().expect("it was listed"));
                let path = path.to_string_lossy().replace('\\', "/");
                files.push((path.trim_start_matches("./").to_owned(), text));
            }
        }
    }
    assert!(files.iter().any(|(path, _)| path == "ARCHITECTURE.md"), "the documents were found");
    files
}

/// The functions whose documentation says that they block the thread, and that do not know who has called
/// them. Then `inspect` would show a line of the library. A function below the surface may get the caller as
/// an argument. What waits in a runtime, or for a lock, is not shown.
pub fn unknown_callers(file: &Source) -> Vec<String> {
    if !file.path.starts_with("pipes/src/") || file.path.starts_with("pipes/src/remote/") {
        return Vec::new();
    }
    let (mut blocks, mut attributes) = (false, String::new());
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim_start();
        if let Some(said) = line.strip_prefix("///") {
            blocks |= said.contains("Blocks the thread") && !said.contains("Blocks the thread while");
        } else if line.starts_with("pub ") || line.starts_with("fn ") {
            // A loop waits in an iterator that it has made.
            blocks |= line.starts_with("fn into_iter(");
            if blocks && line.contains("fn ") && !attributes.contains("#[track_caller]") {
                found.push(format!("{}:{}: does not know its caller", file.path, index + 1));
            }
            (blocks, attributes) = (false, String::new());
        } else if line.is_empty() {
            (blocks, attributes) = (false, String::new());
        } else {
            attributes.push_str(line);
        }
    }
    found.retain(|_| !file.path.starts_with("pipes/src/wait/") && !file.path.starts_with("pipes/src/slot/"));
    found
}

/// The comment lines that are too wide. A row of a table must stay one line, and so must a link.
pub fn wide_comments(file: &Source) -> Vec<String> {
    if file.path.starts_with("pipes-macros/golden/") {
        return Vec::new();
    }
    let lines = file.text.lines().enumerate();
    let wide = lines.filter(|(_, line)| line.trim_start().starts_with("//") && is_wide(comment(line), line));
    wide.map(|(index, _)| too_wide(&file.path, index)).collect()
}

/// The lines of Markdown, or of a script's comments, that are too wide. Code has a rule of its own.
pub fn wide_prose(path: &str, text: &str) -> Vec<String> {
    let is_script = !path.ends_with(".md");
    let mut is_code = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !is_script && line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let is_code = is_code || line.starts_with("    ");
        let counts = if is_script { line.trim_start().starts_with('#') } else { !is_code };
        if counts && is_wide(line.trim_start_matches(['#', ' ']), line) {
            found.push(too_wide(path, index));
        }
    }
    found
}

/// Returns `true` if the line is too wide. `text` is the line without its markers.
fn is_wide(text: &str, line: &str) -> bool {
    line.chars().count() > WIDTH && !text.starts_with('|') && !text.starts_with('<') && !text.contains("://")
}

fn too_wide(path: &str, index: usize) -> String {
    format!("{path}:{}: wider than {WIDTH} columns", index + 1)
}

/// The text of a comment line.
fn comment(line: &str) -> &str {
    line.trim_start().trim_start_matches(['/', '!']).trim_start()
}

/// The lines of code in this text's documentation that are too wide. Output of a compiler or a shell cannot
/// be wrapped, and counts as text.
pub fn problems(path: &str, text: &str) -> Vec<String> {
    let is_rust = path.ends_with(".rs");
    let mut found = Vec::new();
    let mut inside = None;
    for (number, line) in text.lines().enumerate() {
        let line = if is_rust { documentation(line) } else { Some(line) };
        let Some(line) = line else {
            inside = None;
            continue;
        };
        if let Some(kind) = line.strip_prefix("```") {
            inside = if inside.is_some() { None } else { Some(kind != "text" && kind != "sh") };
        } else if inside == Some(true) && !line.starts_with("# ") && line.chars().count() > WIDE {
            found.push(format!("{path}:{}: wider than {WIDE} columns", number + 1));
        }
    }
    found
}

/// The text of a line of a doc comment.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}
