//! `tests/HISTORY.md`: each bug of another library names the tests that would catch it here, and those tests
//! exist.

use crate::source::Source;

/// The tables, by heading, and the least number of rows of each.
const TABLES: [(&str, usize); 4] = [
    ("## Channels", 31),
    ("## Session types", 31),
    ("## Between programs, and around the library", 36),
    ("## Pipes of 2012", 11),
];

/// How a last column begins that names no test.
const CANNOT_OCCUR: &str = "cannot occur: ";

/// The test targets in the folder `models`, and their folders.
const MODELS: [(&str, &str); 2] = [("loom", "loom"), ("shuttle", "skeleton")];

/// Reads a file, if it exists, by its path from the workspace's root.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The errors in the document.
pub fn problems(text: &str, read: Read<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (heading, least) in TABLES {
        let behind = text.split_once(&format!("{heading}\n")).map_or("", |(_, behind)| behind);
        let section = behind.split("\n## ").next().unwrap_or_default();
        let rows: Vec<_> = section.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect();
        for number in 1..=rows.len().max(least) {
            let count = rows.iter().filter(|row| row[0] == number.to_string()).count();
            if count != 1 {
                found.push(format!("{heading}: number {number} is there {count} times"));
            }
        }
        for row in rows {
            found.extend(row_problems(&row, read).map(|it| format!("{heading}: row {}: {it}", row[0])));
        }
    }
    found
}

/// The columns of a row.
fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

fn row_problems<'a>(row: &[&'a str], read: Read<'a>) -> impl Iterator<Item = String> {
    let last = row.get(3).copied().unwrap_or_default();
    let mut found = Vec::new();
    if row.len() != 4 || row.iter().any(|cell| cell.is_empty()) {
        found.push("it has not four columns".to_owned());
    } else if let Some(reason) = last.strip_prefix(CANNOT_OCCUR) {
        if !reason.ends_with('.') || !reason.contains(' ') {
            found.push("no sentence says why it cannot occur".to_owned());
        }
    } else if names(last).next().is_none() {
        found.push("it names no test".to_owned());
    } else {
        found.extend(names(last).filter_map(|name| missing(name, read)));
    }
    found.into_iter()
}

/// The texts between backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Why the named test does not exist, or `None` if it does.
fn missing(name: &str, read: Read<'_>) -> Option<String> {
    if name.starts_with("ui/") {
        return missing_program(name, read);
    }
    if let Some(path) = name.strip_prefix("table::") {
        return missing_scenario(name, path, read);
    }
    let (home, root, path) = match name.strip_prefix("unit ") {
        Some(path) => {
            let (package, path) = path.split_once("::").unwrap_or((path, ""));
            (format!("{package}/src"), "lib", path)
        }
        None => {
            let (target, path) = name.split_once("::").unwrap_or((name, ""));
            let model = MODELS.iter().find(|(model, _)| *model == target);
            let home = match (target, model) {
                ("remote", _) => "tests/remote/it".into(),
                (_, Some((_, folder))) => format!("models/{folder}"),
                (target, None) => format!("tests/{target}"),
            };
            (home, "main", path)
        }
    };
    let mut modules: Vec<_> = path.split("::").collect();
    let function = modules.pop().unwrap_or_default();
    let roots = [format!("{home}/{root}.rs"), format!("{home}.rs")];
    let Some(mut file) = first(&roots, read) else { return Some(format!("`{name}`: no file {}", roots[0])) };
    let mut folder = home;
    for module in modules {
        // Inside of the same file.
        if has(&file.code, &format!("mod {module} {{")) {
            continue;
        }
        if !has(&file.code, &format!("mod {module};")) {
            return Some(format!("`{name}`: {} has no module `{module}`", file.path));
        }
        folder = format!("{folder}/{module}");
        let places = [format!("{folder}.rs"), format!("{folder}/mod.rs")];
        let Some(inner) = first(&places, read) else {
            return Some(format!("`{name}`: no file {}", places[0]));
        };
        file = inner;
    }
    let found = has_test(&file.code, function);
    (!found).then(|| format!("`{name}`: {} has no test `{function}`", file.path))
}

/// Says what is missing of a scenario of the table, which is given as its group and its name.
fn missing_scenario(name: &str, path: &str, read: Read<'_>) -> Option<String> {
    let Some((group, scenario)) = path.split_once("::") else {
        return Some(format!("`{name}`: that is no scenario"));
    };
    let path = format!("tests/support/table/{group}.rs");
    let Some(file) = first(std::slice::from_ref(&path), read) else {
        return Some(format!("`{name}`: no file {path}"));
    };
    let found = file.code.contains(&format!("pub fn {scenario}<"));
    (!found).then(|| format!("`{name}`: {path} has no scenario `{scenario}`"))
}

/// The first of these files that exists.
fn first(paths: &[String], read: Read<'_>) -> Option<Source> {
    paths.iter().find_map(|path| Some(Source::new(path.clone(), read(path)?)))
}

/// Says what is missing of a program of `ui`: one that must compile, or one that must not and has a recorded
/// answer of the compiler.
fn missing_program(name: &str, read: Read<'_>) -> Option<String> {
    let path = format!("tests/{name}");
    let Some(stem) = path.strip_suffix(".rs") else { return Some(format!("`{name}`: that is no program")) };
    if read(&path).is_none() {
        return Some(format!("`{name}`: there is no such program"));
    }
    let answered = name.starts_with("ui/pass/") || read(&format!("{stem}.stderr")).is_some();
    (!answered).then(|| format!("`{name}`: no compiler has said anything of it"))
}

/// Returns `true` if `wanted` occurs in the code, not as the end of a longer word.
fn has(code: &str, wanted: &str) -> bool {
    code.match_indices(wanted)
        .any(|(at, _)| !code[..at].ends_with(|it: char| it == '_' || it.is_alphanumeric()))
}

/// Returns whether there is a function of this name with `#[test]`, `#[test_in]` or `#[tokio::test]`.
fn has_test(code: &str, function: &str) -> bool {
    let head = format!("fn {function}(");
    !function.is_empty()
        && code.match_indices(&head).any(|(at, _)| {
            let begin = code[..at].rfind(['{', '}', ';']).map_or(0, |end| end + 1);
            ["#[test]", "#[test_in(", "#[tokio::test"].iter().any(|it| code[begin..at].contains(it))
        })
}
