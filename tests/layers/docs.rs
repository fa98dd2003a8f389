//! The width of code in the documentation: what is wider has to be scrolled on its page.

/// Columns that a page shows.
const WIDE: usize = 90;

/// The lines of code, in documentation of this text, that are too wide. What a compiler or a shell prints is not broken, and counts as text.
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

/// What a line of a comment documents.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}
