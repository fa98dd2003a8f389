//! Customers in parallel on `rayon`: a worker for each share of them, which reads all transactions.

use std::io;

use rayon::prelude::*;

use super::items::{Item, One};
use super::sink::Found;
use super::{Fraud, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the program, with a sink for each predictor.
pub fn run(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let share = |which| {
        let (mut predictor, mut sink) = (at.predictor(fraud), at.sink());
        let all = One::sources(fraud, at).into_iter().flatten();
        let own = all.filter(|one| one.predictor(fraud.predictors()) == which);
        own.filter_map(|one| predictor.scored(one)).for_each(|outlier| sink.take(outlier));
        sink.found()
    };
    let shares = (0..fraud.predictors()).into_par_iter();
    Ok(at.pools.rayon.install(|| shares.map(share).reduce(Found::default, Found::and)))
}
