//! Items in parallel on `rayon`, each through all stages at once, and sorted at the end.

use std::io;

use rayon::prelude::*;

use super::Way;
use crate::streams::{Flow, Setting};

/// A parallel iterator over everything.
#[derive(Debug)]
pub enum Rayon {}

impl Way for Rayon {
    const NAME: &'static str = "rayon";
    const SOURCES: &'static [&'static str] = &[include_str!("rayon.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let (all, source) = (at.whole().worker(), at.source()?);
        let mut done: Vec<_> = at.pools.rayon.install(|| source.par_bridge().map(all).collect());
        if F::ORDERED {
            at.pools.rayon.install(|| done.par_sort_unstable_by_key(|parcel| parcel.number()));
        }
        at.sink()?.fill(done)
    }
}
