//! All items in one thread: the reference for all other contenders.

use std::io;

use super::Way;
use crate::streams::{Flow, Setting};

/// One thread.
#[derive(Debug)]
pub enum Sequential {}

impl Way for Sequential {
    const NAME: &'static str = "sequential";
    const SOURCES: &'static [&'static str] = &[include_str!("sequential.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let all = at.whole().worker();
        at.sink()?.fill(at.source()?.map(all))
    }
}
