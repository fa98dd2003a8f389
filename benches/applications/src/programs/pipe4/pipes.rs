//! A pipeline of four stages.

use pipes::skeleton::from_iter;

use super::stages::{Item, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::{Digest, WINDOW};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs the program, with the sink on this thread.
pub fn run<I: Item>(pipe4: &Pipe4, at: &Setting) -> Digest {
    let mut digest = Digest::default();
    let numbers = from_iter(I::source(pipe4))
        .hand_over(WINDOW)
        .sequential(|item| item.through(first))
        .sequential(|item| item.through(second))
        .sequential(|item| item.through(third))
        .sequential(|item| item.through(fourth));
    at.watch.over(numbers).for_each(|item| item.sink(&mut digest)).expect("no stage fails");
    digest
}
