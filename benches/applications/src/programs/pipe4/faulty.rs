//! A contender that lets the first item come last, so that the verification itself can be tested.

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::Digest;

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// All items, in another order.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    let (begin, rest) = (I::source(pipe4).take(1), I::source(pipe4).skip(1));
    digest(rest.chain(begin).map(|item| item.through(first).through(second).through(third).through(fourth)))
}
