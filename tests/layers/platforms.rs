//! The table of platforms in `README.md`. Its rows are those that the scripts in `ci/` have written.

use crate::source::root;
use std::fs;

/// The rows of the table, or `None` if its place is not marked.
fn rows(readme: &str) -> Option<Vec<&str>> {
    let (_, table) = readme.split_once("<!-- platforms -->\n")?;
    let (table, _) = table.split_once("<!-- end of platforms -->\n")?;
    // The first lines are the names of the columns.
    Some(table.lines().skip(2).collect())
}

#[test]
fn the_readme_has_the_platforms_of_the_record() {
    let [readme, record] = ["README.md", "ci/platforms.txt"]
        .map(|file| fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}")));
    let recorded: Vec<_> = record.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(recorded.iter().all(|row| row.matches('|').count() == 5), "there are four columns");
    assert_eq!(rows(&readme).as_deref(), Some(&*recorded), "a script with BLESS=1 writes both");
}

#[test]
fn the_rows_of_platforms_are_between_their_marks() {
    let page = "| a |\n<!-- platforms -->\n| head |\n|---|\n| row |\n<!-- end of platforms -->\n| b |\n";
    assert_eq!(rows(page), Some(vec!["| row |"]));
    assert_eq!(rows("| a |\n"), None);
}
