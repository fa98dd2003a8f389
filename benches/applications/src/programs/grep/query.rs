//! What is searched for, and what is printed about it.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{ErrorKind, parse::Parser};

/// A pattern, and what is printed about a file that has it.
#[derive(Clone, Debug)]
pub struct Query {
    /// The compiled pattern.
    pub matcher: RegexMatcher,
    /// What is printed.
    pub show: Show,
    /// Whether lines and counts are preceded by the file's name.
    pub names: bool,
    /// Whether lines are preceded by their numbers.
    pub numbers: bool,
    /// Whether every file is text, whatever bytes it has.
    pub all_text: bool,
}

/// What is printed about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The lines with a match.
    Lines,
    /// How many lines have one.
    Count,
    /// Its name, if there is one.
    Name,
}

impl Query {
    /// Prints lines with the names of their files, and takes every file for text.
    pub fn text(pattern: &str) -> Result<Query, String> {
        let matcher = compiled(pattern, false)?;
        Ok(Query { matcher, show: Show::Lines, names: true, numbers: false, all_text: true })
    }
}

/// Compiles a pattern; its lines are alternatives, as for GNU grep. An error is in GNU grep's words, if it
/// has any for this one.
pub fn compiled(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, String> {
    let alternatives: Vec<_> = pattern.split('\n').collect();
    RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        .multi_line(true)
        .line_terminator(Some(b'\n'))
        .build_many(&alternatives)
        .map_err(|error| match error.kind() {
            grep_regex::ErrorKind::NotAllowed(_) => {
                "Invalid regular expression: no line has a line break in it".to_owned()
            }
            _ => alternatives.iter().find_map(|part| problem(part)).unwrap_or_else(|| {
                // The last line of a long message is the reason.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default();
                format!("Invalid regular expression: {}", reason.trim_start_matches("error: "))
            }),
        })
}

/// What is wrong with the syntax of a pattern, if GNU grep has words for it.
fn problem(pattern: &str) -> Option<String> {
    let kind = Parser::new().parse(pattern).err()?;
    let words = match kind.kind() {
        ErrorKind::GroupUnclosed => r"Unmatched ( or \(",
        ErrorKind::GroupUnopened => r"Unmatched ) or \)",
        ErrorKind::ClassUnclosed => "Unmatched [, [^, [:, [., or [=",
        ErrorKind::ClassRangeInvalid => "Invalid range end",
        ErrorKind::EscapeUnexpectedEof => "Trailing backslash",
        ErrorKind::RepetitionMissing => "Invalid preceding regular expression",
        ErrorKind::RepetitionCountUnclosed => r"Unmatched { or \{",
        ErrorKind::RepetitionCountInvalid
        | ErrorKind::RepetitionCountDecimalEmpty
        | ErrorKind::DecimalEmpty
        | ErrorKind::DecimalInvalid => r"Invalid content of \{\}",
        ErrorKind::UnsupportedBackreference => "Invalid back reference",
        _ => return None,
    };
    Some(words.to_owned())
}

#[cfg(test)]
mod tests {
    use grep_matcher::Matcher;

    use super::compiled;

    #[test]
    fn bad_patterns_are_refused_in_the_words_of_gnu_grep() {
        let cases = [
            ("(", r"Unmatched ( or \("),
            (")", r"Unmatched ) or \)"),
            ("[a", "Unmatched [, [^, [:, [., or [="),
            ("[b-a]", "Invalid range end"),
            ("\\", "Trailing backslash"),
            ("*a", "Invalid preceding regular expression"),
            ("a{1", r"Unmatched { or \{"),
            ("a{2,1}", r"Invalid content of \{\}"),
            (r"(a)\2", "Invalid back reference"),
            ("good\nbad(", r"Unmatched ( or \("),
        ];
        for (pattern, words) in cases {
            assert_eq!(compiled(pattern, false).expect_err(pattern), words, "{pattern}");
        }
        for pattern in ["(?=a)", r"\y", "a\\n", r"\p{Nothing}"] {
            let words = compiled(pattern, false).expect_err(pattern);
            assert!(words.starts_with("Invalid regular expression: "), "{pattern}: {words}");
            assert_eq!(words.lines().count(), 1, "{pattern}: {words}");
        }
    }

    #[test]
    fn the_lines_of_a_pattern_are_alternatives_and_case_may_be_ignored() {
        let matches = |pattern, case, text: &str| {
            compiled(pattern, case).expect(pattern).is_match(text.as_bytes()).expect("no error")
        };
        assert!(matches("one\ntwo", false, "two") && matches("", false, "x"));
        assert!(matches("ONE", true, "one") && !matches("ONE", false, "one"));
        assert!(matches("^b$", false, "a\nb\nc"));
    }
}
