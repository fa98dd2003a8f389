//! A contender that forgets one source, to test the verification itself.

use std::io;

use super::items::{Item, One};
use super::sink::{Found, Sink};
use super::{Fraud, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Scores all transactions but the first source's.
pub fn run(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (mut predictor, mut sink) = (at.predictor(fraud), Sink::new(at.begin));
    let transactions = One::sources(fraud, at).into_iter().skip(1).flatten();
    transactions.filter_map(|one| predictor.scored(one)).for_each(|outlier| sink.take(outlier));
    Ok(sink.found())
}
