//! Tables of figures are made from the files that `ci/figures.sh` writes, and no measured figure stands
//! elsewhere on the pages for users.
//!
//! `BLESS=1 cargo test -p pipes-benches --test figures` writes the tables again.

mod marks;
mod measured;
mod races;
mod tables;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files with pages for users.
const PAGES: [&str; 4] = ["README.md", "benches/README.md", "pipes/docs", "pipes-remote/docs"];

/// The most words of `benches/README.md`.
const MOST_WORDS: usize = 6_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All pages for users, as paths from the root of the repository.
fn pages() -> Vec<String> {
    fn add(path: String, pages: &mut Vec<String>) {
        if path.ends_with(".md") {
            pages.push(path);
        } else if root().join(&path).is_dir() {
            for entry in fs::read_dir(root().join(&path)).expect("the folder is there") {
                let name = entry.expect("the folder can be read").file_name();
                add(format!("{path}/{}", name.to_str().expect("a plain name")), pages);
            }
        }
    }
    let mut pages = Vec::new();
    PAGES.into_iter().for_each(|path| add(path.to_owned(), &mut pages));
    pages.sort();
    assert!(pages.len() > PAGES.len(), "the folders have no pages");
    pages
}

#[test]
fn tables_are_those_of_the_files() {
    let races = races::all();
    let (mut shown, mut stale) = (BTreeSet::new(), Vec::new());
    for page in pages() {
        let before = read(&page);
        let after = marks::replaced(&before, |wanted| {
            shown.insert(wanted.to_owned());
            tables::of(wanted, &races)
        });
        let after = after.unwrap_or_else(|why| panic!("{page}: {why}"));
        if before == after {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(root().join(&page), after).unwrap_or_else(|error| panic!("{page}: {error}"));
        } else {
            stale.push(page);
        }
    }
    assert!(stale.is_empty(), "`BLESS=1 cargo test -p pipes-benches --test figures` writes {stale:?} again");
    let wanted =
        races.iter().flat_map(|race| race.tables()).map(|table| format!("{} {table}", tables::form(table)));
    let wanted: BTreeSet<_> = wanted.chain(["source".to_owned()]).collect();
    assert_eq!(shown, wanted, "left: the tables on the pages; right: those of the rows");
}

#[test]
fn all_races_are_of_one_commit() {
    let races = races::all();
    for name in ["commit", "compiler", "processor"] {
        let values: BTreeSet<_> = races.iter().map(|race| race.head(name)).collect();
        assert_eq!(values.len(), 1, "races differ in their {name}: {values:?}; run ci/figures.sh");
    }
}

#[test]
fn files_are_those_of_the_rows() {
    let wanted: Vec<_> = races::rows().iter().map(|row| row.file()).collect();
    for entry in fs::read_dir(root().join(races::FOLDER)).expect("the folder is there") {
        let name = entry.expect("the folder can be read").file_name().into_string().expect("a plain name");
        assert!(name == "rows.txt" || wanted.contains(&name), "{name} is the file of no row");
    }
    for (index, file) in wanted.iter().enumerate() {
        assert!(!wanted[..index].contains(file), "two rows have the file {file}");
    }
}

#[test]
fn figures_stand_between_marks() {
    let pages: Vec<_> = pages().into_iter().map(|page| (read(&page), page)).collect();
    let found: Vec<_> = pages
        .iter()
        .flat_map(|(text, page)| measured::outside(text).into_iter().map(move |found| (page.as_str(), found)))
        .collect();
    let is_allowed = |(page, found): &(&str, measured::Found)| {
        measured::ALLOWED.iter().any(|(on, figure, _)| on == page && *figure == found.figure)
    };
    let wrong: Vec<_> = found.iter().filter(|found| !is_allowed(found)).collect();
    assert!(wrong.is_empty(), "measured, and not between marks: {wrong:#?}");
    for (page, figure, _) in measured::ALLOWED {
        let is_there = |(on, found): &(&str, measured::Found)| on == page && found.figure == *figure;
        assert!(found.iter().any(is_there), "{page} has no {figure:?} any more");
    }
}

#[test]
fn the_page_of_the_benchmarks_is_short() {
    let words = read("benches/README.md").split_whitespace().count();
    assert!(words <= MOST_WORDS, "benches/README.md has {words} words");
}
