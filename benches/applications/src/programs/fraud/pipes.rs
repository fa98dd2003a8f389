//! A pipeline: sources that are merged, a keyed farm of predictors, and the sinks.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use pipes_skeleton::{filter_map, from_iter, merge};

use super::items::Item;
use super::sink::Found;
use super::{Fraud, Setting};
use crate::streams::WINDOW;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs the program. A single sink runs on this thread.
pub fn run<I: Item>(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (predictors, sinks) = (fraud.predictors(), fraud.sinks());
    let sources = I::sources(fraud, at);
    // A window for each predictor, in each place where items may be on their way.
    let limit = (sources.len() + 2) * predictors * WINDOW;
    let merged = merge(sources.into_iter().map(from_iter)).in_flight(limit);
    let outliers = at.watch.over(merged.scheduled_with(predictors, I::predictor, |_| {
        let mut predictor = at.predictor(fraud);
        filter_map(move |item: I| item.scored(&mut predictor))
    }));
    if sinks == 1 {
        let mut sink = at.sink();
        outliers.for_each(|out| I::sunk(out, &mut sink)).map_err(io::Error::other)?;
        return Ok(sink.found());
    }
    let sunk: Vec<_> = (0..sinks).map(|_| Arc::new(Mutex::new(at.sink()))).collect();
    outliers
        .scheduled_with(
            sinks,
            move |out, of| I::key(out) % predictors % of,
            |which| {
                let sink = sunk[which].clone();
                move |out| I::sunk(out, &mut sink.lock().unwrap_or_else(PoisonError::into_inner))
            },
        )
        .for_each(drop)
        .map_err(io::Error::other)?;
    let sinks = sunk.into_iter().filter_map(Arc::into_inner);
    let found = sinks.map(|sink| sink.into_inner().unwrap_or_else(PoisonError::into_inner).found());
    Ok(found.fold(Found::default(), Found::and))
}
