//! A task for each stage, with channels of `tokio` between them.

use tokio::sync::mpsc::{Receiver, channel};

use super::stages::{Item, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::{Digest, WINDOW};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// Runs the program; the sink is the task that starts the others.
pub fn run<I: Item>(pipe4: &Pipe4, at: &Setting) -> Digest {
    let source = I::source(pipe4);
    at.pools.task(async move {
        let (chan, items) = channel(WINDOW);
        tokio::spawn(async move {
            for item in source {
                if chan.send(item).await.is_err() {
                    break;
                }
            }
        });
        let items = stage(items, first);
        let items = stage(items, second);
        let items = stage(items, third);
        let mut items: Receiver<I> = stage(items, fourth);
        let mut digest = Digest::default();
        while let Some(item) = items.recv().await {
            item.sink(&mut digest);
        }
        digest
    })
}

/// Starts a stage, and returns its output.
fn stage<I: Item>(mut items: Receiver<I>, stage: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Receiver<I> {
    let (chan, out) = channel(WINDOW);
    tokio::spawn(async move {
        while let Some(item) = items.recv().await {
            if chan.send(item.through(&stage)).await.is_err() {
                break;
            }
        }
    });
    out
}
