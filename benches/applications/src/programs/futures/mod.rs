//! Parallel maps by futures: the use of pipes inside the `std::par` of 2012.
//!
//! In 2012 a vector was mapped by one task for each slice of at least 1,024 elements, with at most 32 slices.
//! Each task's result came back through a oneshot: a *future*. The results were joined in order; shorter
//! vectors were mapped by the caller. Here a slice is borrowed instead of reference-counted. Each map returns
//! a fresh vector, and a run makes `--maps` maps, one after another.
//!
//! `pipes` has the slices and the oneshots of 2012; its workers are started once per run and take slices from
//! one shared port, as the caller does while it waits. A slice's result comes back in a vector that is
//! reused. `pipes-lent` lends slices of the result instead, to threads that are started for each map, so
//! nothing has to be joined. `threads-each` has a thread for each slice, where 2012 had tasks; `threads`
//! divides the vector among the workers, and writes in place, as `rayon` does.
//!
//! An element is mapped by an invertible function (the last step of a hash, MurmurHash3's). Verified: each
//! element of the last result, inverted, and its length.

mod faulty;
mod lent;
mod pipes;
mod rayon;
mod sequential;
mod skeleton;
mod slices;
mod threads;

use std::io;

use ::rayon::{ThreadPool, ThreadPoolBuilder};
use clap::Args;
use serde::Serialize;

use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;

/// The options of the maps.
#[derive(Args, Serialize)]
pub struct Futures {
    /// Elements of the vector
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = up_to(1 << 26))]
    size: u64,
    /// Maps in a run, one after another
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = up_to(1_000_000))]
    maps: u64,
    /// Workers, including the calling thread
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(256))]
    workers: u64,
}

impl Futures {
    /// The number of workers, including the calling thread.
    fn workers(&self) -> usize {
        self.workers as usize
    }

    /// Maps repeatedly, and drops each result before the next map. Returns the last one.
    fn each(&self, mut map: impl FnMut() -> io::Result<Vec<u32>>) -> io::Result<Vec<u32>> {
        let mut last = Vec::new();
        for _ in 0..self.maps {
            drop(std::mem::take(&mut last));
            last = map()?;
        }
        Ok(last)
    }
}

impl Program for Futures {
    const NAME: &'static str = "futures";
    const ABOUT: &'static str = "Map a vector by a future for each slice; one op is one map";
    const UNIT: &'static str = "maps";
    const QUICK: &'static [&'static str] = &["--size", "65536"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("pipes-lent", lent::SOURCES).in_its_own_way(lent::run),
        Contender::new("pipes-skeleton", skeleton::SOURCES).in_its_own_way(skeleton::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("threads", threads::SOURCES).in_its_own_way(threads::run),
        Contender::new("threads-each", threads::SOURCES).in_its_own_way(threads::each),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting;
    /// The result of the last map.
    type Outcome = Vec<u32>;

    fn ops(&self, _: &Setting) -> u64 {
        self.maps
    }

    fn setting(&self) -> io::Result<Setting> {
        let rayon = ThreadPoolBuilder::new().num_threads(self.workers()).build().map_err(io::Error::other)?;
        Ok(Setting { elements: (0..self.size as u32).collect(), rayon })
    }

    fn verify(&self, at: &Setting, mapped: &Vec<u32>) -> Result<(), String> {
        slices::verify(&at.elements, mapped)
    }
}

/// The vector, which holds its own indices, and the pool.
#[derive(Debug)]
pub struct Setting {
    elements: Vec<u32>,
    rayon: ThreadPool,
}
