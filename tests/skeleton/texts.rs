//! What a programmer sees of a pipeline: the names of its threads, the texts of its failures.

use pipes_skeleton::{Failure, from_iter};
use pipes_tests::{test_in, watched};
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;
use std::thread;

/// An error with a source.
#[derive(Debug)]
struct BadLine(ParseIntError);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line is bad")
    }
}

impl Error for BadLine {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// The texts of an error and of its sources.
fn chain(error: &dyn Error) -> Vec<String> {
    let (mut texts, mut next) = (vec![error.to_string()], error.source());
    while let Some(error) = next {
        texts.push(error.to_string());
        next = error.source();
    }
    texts
}

#[test_in(watched)]
fn a_thread_has_the_name_of_its_stage() {
    let name = |()| thread::current().name().unwrap_or_default().to_owned();
    let names = from_iter([()])
        .sequential(move |item| (name(item), ()))
        .named("parse")
        .parallel(2, move |(first, item)| [first, name(item)])
        .named("a\0b")
        .collect()
        .expect("no stage fails");
    assert_eq!(names, [["parse", "ab"]]);
}

#[test_in(watched)]
fn a_failure_says_each_error_once() {
    let parsed = from_iter(["1", "x"])
        .try_sequential(|line| line.parse::<u64>().map_err(BadLine))
        .named("parse")
        .collect();
    let failure = parsed.expect_err("the second line is no number");
    assert_eq!(chain(&failure), ["parse failed: the line is bad", "invalid digit found in string"]);
    let built: Result<Vec<_>, Failure> = from_iter([1_u64]).in_flight(0).parallel(2, |n| n).collect();
    assert_eq!(chain(&built.expect_err("there is no room")).len(), 1);
}
