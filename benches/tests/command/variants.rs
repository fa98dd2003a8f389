//! What `all` runs, for the tests of the companions.

use std::collections::BTreeSet;

use crate::support::{run, stderr, stdout};

/// Asserts that `all` runs every variant of these programs; the variants differ in these options.
pub fn assert_all_run<'a>(programs: impl Iterator<Item = &'a (&'a str, &'a str)>, varies: &[&str]) {
    let output = run("all --quick --dry-run");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let variants: BTreeSet<_> = stdout(&output).lines().map(|line| variant(line, varies)).collect();
    for (words, _) in programs {
        let (name, choice) = variant(words, varies);
        assert!(choice.is_none() || variants.contains(&(name, choice)), "{words:?}: {variants:?}");
    }
}

/// The program on this command line, and what it says of the first of these options that it has.
fn variant<'a>(line: &'a str, varies: &[&str]) -> (&'a str, Option<&'a str>) {
    let words: Vec<_> = line.split_whitespace().collect();
    let place = |option: &&str| words.iter().position(|word| word.strip_prefix("--") == Some(*option));
    (words[0], varies.iter().find_map(place).map(|at| words[at + 1]))
}
