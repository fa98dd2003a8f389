//! The width of documentation: of its code, which a page scrolls if it is wider, and of its lines.

use crate::source::Source;

/// The columns of code that a page shows.
const WIDE: usize = 90;
/// The most columns of a line of prose, as of a line of code.
const WIDTH: usize = 110;

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

/// Whether the line is too wide. `text` is the line without its markers.
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
