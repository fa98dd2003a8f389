//! A contender that puts the first item last, to test the verification itself.

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::Digest;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Takes all items through all stages, in another order.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    let (begin, rest) = (I::source(pipe4).take(1), I::source(pipe4).skip(1));
    digest(rest.chain(begin).map(|item| item.through(first).through(second).through(third).through(fourth)))
}
