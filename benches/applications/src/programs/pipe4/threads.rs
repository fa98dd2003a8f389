//! A thread for each stage, with channels of `crossbeam-channel` between them.

use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, bounded};

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::{Digest, WINDOW};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs")];

/// Runs the program, with the sink on this thread.
pub fn run<I: Item>(pipe4: &Pipe4, _: &Setting) -> Digest {
    thread::scope(|scope| {
        let (chan, items) = bounded(WINDOW);
        scope.spawn(move || I::source(pipe4).try_for_each(|item| chan.send(item)));
        let items = stage(scope, items, first);
        let items = stage(scope, items, second);
        let items = stage(scope, items, third);
        let items = stage(scope, items, fourth);
        digest::<I>(items.into_iter())
    })
}

/// Starts a stage, and returns its output.
fn stage<'scope, I: Item>(
    scope: &'scope Scope<'scope, '_>,
    items: Receiver<I>,
    stage: impl Fn(u64) -> u64 + Send + 'scope,
) -> Receiver<I> {
    let (chan, out) = bounded(WINDOW);
    scope.spawn(move || items.into_iter().try_for_each(|item| chan.send(item.through(&stage))));
    out
}
