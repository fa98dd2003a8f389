//! Finds what looks like a measured time, rate or ratio outside of marks.

use crate::marks;

/// What stands outside of marks and was not measured here: the page, what is found, and the reason.
pub const ALLOWED: &[(&str, &str, &str)] = &[
    ("benches/README.md", "0.228 s", "published in 2012"),
    ("benches/README.md", "0.915 s", "published in 2012"),
    ("benches/README.md", "0.778 s", "published in 2012"),
    ("benches/README.md", "4.335 s", "published in 2012"),
    ("benches/README.md", "3.125 s", "published in 2012"),
    ("benches/README.md", "10 µs", "an option of the programs"),
    ("pipes/docs/course.md", "25 microseconds", "how long a thread looks again before it sleeps"),
];

/// What follows a number that was measured.
const UNITS: [&str; 12] =
    ["ns", "nanoseconds", "µs", "μs", "us", "microseconds", "ms", "milliseconds", "ns/op", "times", "×", "x"];
/// What follows a number with a point that was measured: a limit is a whole number of seconds.
const UNITS_OF_FRACTIONS: [&str; 3] = ["s", "seconds", "of"];

/// A figure, and the words around it.
#[derive(Debug)]
pub struct Found {
    pub figure: String,
    #[expect(dead_code, reason = "it is printed")]
    context: String,
}

/// Returns what looks measured: a number before a unit, and a number with a point in a table. Code is left
/// out.
pub fn outside(page: &str) -> Vec<Found> {
    let (mut found, mut words) = (Vec::new(), Vec::new());
    let mut is_code = false;
    for line in marks::without(page).lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || line.starts_with("    ") {
            continue;
        }
        // Options in the text have units, too: `--work 10us`.
        let prose = line.split('`').step_by(2).collect::<Vec<_>>().join(" `` ");
        let is_row = prose.trim_start().starts_with('|');
        // A paragraph is joined, because a line may end between a number and its unit.
        let separated = prose.replace(['–', '\u{a0}'], " ");
        words.extend(separated.split_whitespace().map(|word| (word.to_owned(), is_row)));
    }
    for (index, (word, is_in_row)) in words.iter().enumerate() {
        let next = words.get(index + 1).map_or("", |(next, _)| bare(next));
        let (number, unit) = match bare(word).find(|letter: char| letter.is_alphabetic() || letter == '×') {
            Some(at) => bare(word).split_at(at),
            None => (bare(word), next),
        };
        let has_unit = UNITS.contains(&unit) || is_fraction(number) && UNITS_OF_FRACTIONS.contains(&unit);
        if is_number(number) && (has_unit || *is_in_row && is_fraction(number)) {
            let context = &words[index.saturating_sub(4)..(index + 5).min(words.len())];
            let context = context.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ");
            let figure = if has_unit { format!("{number} {unit}") } else { number.to_owned() };
            found.push(Found { figure, context });
        }
    }
    found
}

/// Returns a word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '×')
}

fn is_fraction(number: &str) -> bool {
    number.contains('.')
}

/// Returns `true` for a number that is no version: that has several points.
fn is_number(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || ",._".contains(letter))
        && text.matches('.').count() < 2
}

#[test]
fn what_looks_measured_is_found() {
    for measured in [
        "it takes 12.3 ns a message",
        "it takes 12\nns a message",
        "it takes (70 µs).",
        "it takes 16–70 µs",
        "it takes 1.4 s",
        "it takes 1.4s",
        "took 1,200 ms",
        "it takes 12.5ns",
        "in 3 times the time",
        "it is 2.5× as fast",
        "with 0.9 of its time",
        "| `ring` | 39.0 | 1 |",
        "  | `ring` | kanal 0.61, |",
    ] {
        let found = outside(&format!("text\n{measured} and more"));
        assert_eq!(found.len(), 1, "{measured}: {found:?}");
    }
}

#[test]
fn what_was_not_measured_is_left_alone() {
    for other in [
        "it needs Rust 1.88 and par 0.3.10",
        "```\nsleep for 10 ms\n```",
        "    sleep for 10 ms",
        "3 of the 4 messages, 64 at a time, within 5 s",
        "| `ring` | 39 | 0.3.10 |",
        "an item of `--work 10us` or `12 ns`",
        "<!-- figures: ratios a -->\n| 12 ns | 0.61 |\n<!-- end of figures -->",
    ] {
        let found = outside(&format!("text\n{other}\nmore"));
        assert!(found.is_empty(), "{other}: {found:?}");
    }
}
