//! All transactions in one loop: the reference for all other contenders.

use std::io;

use super::items::{Item, One};
use super::sink::Found;
use super::{Fraud, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Scores one transaction after another, with a single predictor and a single sink.
pub fn run(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (mut predictor, mut sink) = (at.predictor(fraud), at.sink());
    let transactions = One::sources(fraud, at).into_iter().flatten();
    transactions.filter_map(|one| predictor.scored(one)).for_each(|outlier| sink.take(outlier));
    Ok(sink.found())
}
