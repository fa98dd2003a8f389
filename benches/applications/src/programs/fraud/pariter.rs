//! An iterator that `pariter` splits twice: the sources and the predictor run in threads of their own.

use std::io;

use pariter::IteratorExt;

use super::items::Item;
use super::sink::Found;
use super::{Fraud, Setting};
use crate::streams::WINDOW;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Runs the program, with a single predictor, and a single sink on this thread.
pub fn run<I: Item>(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (mut predictor, mut sink) = (at.predictor(fraud), at.sink());
    I::sources(fraud, at)
        .into_iter()
        .flatten()
        .readahead_custom(|cut| cut.buffer_size(WINDOW))
        .filter_map(move |item| item.scored(&mut predictor))
        .readahead_custom(|cut| cut.buffer_size(WINDOW))
        .for_each(|out| I::sunk(out, &mut sink));
    Ok(sink.found())
}
