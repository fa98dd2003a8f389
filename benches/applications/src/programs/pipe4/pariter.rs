//! An iterator that `pariter` splits after the source and after each stage: what comes before a split runs in
//! a thread of its own.

use pariter::{IteratorExt, ReadaheadBuilder};

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::{Digest, WINDOW};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Runs the program, with the sink on this thread.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    digest(
        I::source(pipe4)
            .readahead_custom(window)
            .map(|item| item.through(first))
            .readahead_custom(window)
            .map(|item| item.through(second))
            .readahead_custom(window)
            .map(|item| item.through(third))
            .readahead_custom(window)
            .map(|item| item.through(fourth))
            .readahead_custom(window),
    )
}

/// Sets how far a stage may run ahead.
fn window<I: Iterator>(cut: ReadaheadBuilder<I>) -> ReadaheadBuilder<I> {
    cut.buffer_size(WINDOW)
}
