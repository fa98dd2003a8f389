//! All stages in one thread: the reference for all other contenders.

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::Digest;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Takes one item after another through all stages.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    digest(
        I::source(pipe4)
            .map(|item| item.through(first).through(second))
            .map(|item| item.through(third).through(fourth)),
    )
}
