//! Finds what looks like a measured time or ratio outside of marks.

use crate::marks;

/// What stands outside of marks and was not measured here: the page, a part of what is found, and the reason.
pub const ALLOWED: &[(&str, &str, &str)] = &[
    ("benches/README.md", "0.228 s", "published in 2012"),
    ("benches/README.md", "0.915 s", "published in 2012"),
    ("benches/README.md", "0.778 s", "published in 2012"),
    ("benches/README.md", "4.335 s", "published in 2012"),
    ("benches/README.md", "3.125 s", "published in 2012"),
    ("benches/README.md", "items of 10 µs", "an option of the programs"),
];

/// What follows a number that was measured.
const UNITS: [&str; 6] = ["ns", "µs", "us", "ms", "milliseconds", "times"];
/// What follows a number with a point that was measured: a limit is a whole number of seconds.
const UNITS_OF_FRACTIONS: [&str; 3] = ["s", "seconds", "of"];

/// Returns what looks measured: a number before a unit, and a cell of a table that is nothing but a number
/// with a point. Code is left out.
pub fn outside(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    // A paragraph is joined, because a line may end between a number and its unit.
    let mut words: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in marks::without(page).lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.trim_start().starts_with("```") || line.starts_with("    ") {
            continue;
        }
        if line.starts_with('|') {
            let is_decimal = |cell: &&str| is_number(cell.trim()) && is_fraction(cell);
            found.extend(line.split('|').filter(is_decimal).map(|cell| format!("{} in {line}", cell.trim())));
        }
        // Options in the text have units, too: `--work 10us`.
        let prose: Vec<_> = line.split('`').step_by(2).collect();
        words.extend(prose.join(" `` ").split_whitespace().map(str::to_owned));
    }
    for (index, pair) in words.windows(2).enumerate() {
        let context = || words[index.saturating_sub(4)..(index + 5).min(words.len())].join(" ");
        let (number, unit) = (bare(&pair[0]), bare(&pair[1]));
        let is_before_unit =
            UNITS.contains(&unit) || is_fraction(number) && UNITS_OF_FRACTIONS.contains(&unit);
        let has_unit = UNITS[..4].iter().any(|unit| number.strip_suffix(unit).is_some_and(is_number));
        if is_number(number) && is_before_unit || has_unit {
            found.push(context());
        }
    }
    found
}

/// Returns a word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}

fn is_fraction(number: &str) -> bool {
    number.contains('.')
}

fn is_number(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || ",._".contains(letter))
}

#[test]
fn what_looks_measured_is_found() {
    for measured in [
        "it takes 12.3 ns a message",
        "it takes 12\nns a message",
        "it takes (70 µs).",
        "it takes 1.4 s",
        "took 1,200 ms",
        "it takes 12ns",
        "in 3 times the time",
        "with 0.9 of its time",
        "| `ring` | 39.0 | 1 |",
    ] {
        assert_eq!(outside(&format!("text\n{measured} and more")).len(), 1, "{measured}");
    }
}

#[test]
fn what_was_not_measured_is_left_alone() {
    for other in [
        "it needs Rust 1.88 and par 0.3.10",
        "```\nsleep for 10 ms\n```",
        "    sleep for 10 ms",
        "3 of the 4 messages, 64 at a time, within 5 s",
        "| `ring` | 39 | 0.3.10 x |",
        "an item of `--work 10us` or `12 ns`",
        "<!-- figures: ratios a -->\n| 12 ns | 0.61 |\n<!-- end of figures -->",
    ] {
        assert_eq!(outside(&format!("text\n{other}\nmore")), [""; 0], "{other}");
    }
}
