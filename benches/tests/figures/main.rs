//! Tables of figures are made from the files that `ci/figures.sh` writes, and no measured figure stands
//! elsewhere on the pages for users.
//!
//! `BLESS=1 cargo test -p pipes-benches --test figures` writes the tables again.

mod marks;
mod measured;
mod races;
mod tables;

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
    let mut pages = Vec::new();
    for page in PAGES {
        if page.ends_with(".md") {
            pages.push(page.to_owned());
            continue;
        }
        for entry in fs::read_dir(root().join(page)).expect("the folder is there") {
            let name =
                entry.expect("the folder can be read").file_name().into_string().expect("a plain name");
            if name.ends_with(".md") {
                pages.push(format!("{page}/{name}"));
            }
        }
    }
    pages.sort();
    assert!(pages.len() > PAGES.len(), "the folders have no pages");
    pages
}

#[test]
fn tables_are_those_of_the_files() {
    let races = races::all();
    let mut is_shown: Vec<_> = races.iter().map(|_| false).collect();
    let mut stale = Vec::new();
    for page in pages() {
        let before = read(&page);
        let after = marks::replaced(&before, |wanted| {
            for (race, is_shown) in races.iter().zip(&mut is_shown) {
                *is_shown |= wanted.split(' ').nth(1).is_some_and(|table| race.is_in(table));
            }
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
    let unused: Vec<_> = races.iter().zip(is_shown).filter(|(_, is_shown)| !is_shown).collect();
    assert!(unused.is_empty(), "no page shows {unused:?}");
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
    let is_allowed = |(page, found): &(&str, String)| {
        measured::ALLOWED.iter().any(|(on, text, _)| on == page && found.contains(text))
    };
    let wrong: Vec<_> = found.iter().filter(|found| !is_allowed(found)).collect();
    assert!(wrong.is_empty(), "measured, and not between marks: {wrong:#?}");
    for (page, text, _) in measured::ALLOWED {
        let is_there = |(on, found): &(&str, String)| on == page && found.contains(text);
        assert!(found.iter().any(is_there), "{page} has no {text:?} any more");
    }
}

#[test]
fn the_page_of_the_benchmarks_is_short() {
    let words = read("benches/README.md").split_whitespace().count();
    assert!(words <= MOST_WORDS, "benches/README.md has {words} words");
}
