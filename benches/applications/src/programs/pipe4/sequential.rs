//! All stages in one thread: what every other contender is compared with.

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::Digest;

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Item after item, through all stages.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    digest(
        I::source(pipe4)
            .map(|item| item.through(first).through(second))
            .map(|item| item.through(third).through(fourth)),
    )
}
