//! The workspace's source files, and their code without comments and literals.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A source file.
pub struct Source {
    /// The path from the workspace's root.
    pub path: String,
    pub text: String,
    /// The text with comments and literals replaced by blanks, line by line.
    pub code: String,
}

impl Source {
    pub fn new(path: String, text: String) -> Self {
        let code = code_of(&text);
        Source { path, text, code }
    }

    /// The line of a byte of the code, counted from one.
    pub fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }
}

/// The workspace's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// All Rust files of all packages, which are read once for all tests.
pub fn workspace() -> &'static [Source] {
    static FILES: LazyLock<Vec<Source>> = LazyLock::new(read);
    &FILES
}

fn read() -> Vec<Source> {
    let root = root();
    let mut files = Vec::new();
    let packages = [
        "pipes",
        "pipes-macros",
        "pipes-remote",
        "pipes-skeleton",
        "pipes-top",
        "examples",
        "benches",
        "ci/counts",
        "tests",
        "models",
    ];
    let mut folders: Vec<PathBuf> = packages.iter().map(|package| root.join(package)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("the file can be read");
                let path = path.strip_prefix(root).expect("it lies below the root");
                files.push(Source::new(path.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    files
}

/// Blanks out comments, strings and characters; keeps the lines.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_word = false;
    while let Some(first) = rest.chars().next() {
        let length = literal(rest, after_word);
        if length == 0 {
            after_word = first.is_alphanumeric() || first == '_';
            code.push(if first.is_ascii() { first } else { ' ' });
            rest = &rest[first.len_utf8()..];
        } else {
            let (blank, behind) = rest.split_at(length);
            code.extend(blank.chars().map(|it| if it == '\n' { '\n' } else { ' ' }));
            after_word = false;
            rest = behind;
        }
    }
    code
}

/// The length of the comment or literal that begins here, or 0.
fn literal(rest: &str, after_word: bool) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    if rest.starts_with('\'') {
        // A lifetime has no second quote after one character.
        let mut chars = rest.char_indices().skip(1);
        let (_, first) = chars.next().unwrap_or((0, '\''));
        let second = chars.next();
        return if first == '\\' || second.is_some_and(|(_, it)| it == '\'') {
            quoted(rest, '\'')
        } else {
            0
        };
    }
    if after_word {
        return 0;
    }
    let raw = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - raw.len();
    let hashes = raw.strip_prefix('r').map(|it| it.len() - it.trim_start_matches('#').len());
    match hashes {
        Some(hashes) if prefix <= 1 && raw[1 + hashes..].starts_with('"') => {
            let end = format!("\"{}", "#".repeat(hashes));
            let begin = prefix + 2 + hashes;
            rest[begin..].find(&end).map_or(rest.len(), |at| begin + at + end.len())
        }
        _ => 0,
    }
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if it == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
