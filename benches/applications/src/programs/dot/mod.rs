//! The dot product of two vectors; each of `--workers` computes a part of it.
//!
//! The program is that of a study that compared C with Rust, and of many courses. The contenders differ in
//! how the sums of the workers are combined. By default each worker has a sum of its own and hands it over
//! when it is done. `threads-once` adds it to a sum behind a lock. `threads-held` is the trap: the lock is
//! held while the worker computes, so the workers run one after another.
//!
//! The elements are small whole numbers, so sums are exact in any order. In a sum of floating-point numbers
//! each addition waits for the previous one, unless several sums are kept at a time: all Rust contenders keep
//! eight. `c` and `pthreads` are plain, with one sum, as the study's are; `c-lanes` and `pthreads-lanes` have
//! eight as well.
//!
//! A pass is one product. `threads` and `pthreads` start their threads for each pass; `pipes`, `pipes-shared`
//! and `crossbeam` once per run.
//!
//! Verified: the sum of all passes, against a sum of whole numbers.

mod locks;
mod pair;
mod skeleton;

use std::io;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::kernels::{
    Kernel, Ran, Scale, Setting, crossbeam, faulty, pipes, rayon, sequential, shared, threads, twin,
};
use pair::{Pair, Vectors};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;

/// The options of the dot product.
#[derive(Args, Clone, Serialize)]
pub struct Dot {
    /// Elements of each vector
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = up_to(1 << 27))]
    size: u64,
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
}

/// The source of the C twin, for `list --sloc`.
const TWIN: &[&str] = &[include_str!("../../../c/dot.c"), include_str!("../../../c/twin.h")];

impl Program for Dot {
    const NAME: &'static str = "dot";
    const ABOUT: &'static str = "Multiply two vectors; one op is one element of both";
    const UNIT: &'static str = "elements";
    const QUICK: &'static [&'static str] = &["--size", "65536", "--passes", "10"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("pipes-shared", shared::SOURCES).in_its_own_way(shared::run),
        Contender::new("pipes-skeleton", skeleton::SOURCES).in_its_own_way(skeleton::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("threads", threads::SOURCES).in_its_own_way(threads::run),
        Contender::new("threads-once", locks::SOURCES).in_its_own_way(locks::once),
        Contender::new("threads-held", locks::SOURCES).in_its_own_way(locks::held),
        Contender::new("crossbeam", crossbeam::SOURCES).in_its_own_way(crossbeam::run),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run),
        Contender::new("c", TWIN).in_its_own_way(twin::c).unless(twin::missing::<Self>),
        Contender::new("c-lanes", TWIN).in_its_own_way(c_lanes).unless(twin::missing::<Self>),
        Contender::new("pthreads", TWIN).in_its_own_way(twin::pthreads).unless(twin::missing::<Self>),
        Contender::new("pthreads-lanes", TWIN).in_its_own_way(pthreads_lanes).unless(twin::missing::<Self>),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting<Vectors>;
    type Outcome = Ran;

    fn ops(&self, _: &Self::Setting) -> u64 {
        self.size * self.scale.passes()
    }

    fn curve(&self) -> Vec<Self> {
        self.scale.points().map(|scale| Dot { scale, ..*self }).collect()
    }

    fn own_time(ran: &Ran) -> Option<Duration> {
        ran.own_time
    }

    fn setting(&self) -> io::Result<Self::Setting> {
        Setting::new(Vectors::of_size(self.size as usize), &self.scale)
    }

    fn verify(&self, at: &Self::Setting, ran: &Ran) -> Result<(), String> {
        ran.verify(&self.scale, at.data().due())
    }
}

/// The twin with several sums, in one thread.
fn c_lanes(dot: &Dot, at: &Setting<Vectors>) -> io::Result<Ran> {
    twin::passes(dot, at, 1, &["lanes"])
}

/// The twin with several sums, in several threads.
fn pthreads_lanes(dot: &Dot, at: &Setting<Vectors>) -> io::Result<Ran> {
    twin::passes(dot, at, dot.scale.workers(), &["lanes"])
}

impl Kernel for Dot {
    type Data = Vectors;
    type Part<'a> = Pair<'a>;

    fn scale(&self) -> &Scale {
        &self.scale
    }

    fn parts(vectors: &mut Vectors, count: usize) -> Vec<Pair<'_>> {
        vectors.parts(count)
    }
}

impl twin::Twin for Dot {
    const FILE: Option<&'static str> = option_env!("TWIN_DOT");

    fn size(&self) -> u64 {
        self.size
    }

    fn take(_: &mut Vectors, bytes: &[u8]) -> Option<()> {
        bytes.is_empty().then_some(())
    }
}
