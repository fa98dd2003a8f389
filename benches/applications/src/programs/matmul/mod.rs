//! The product of two square matrices of unsigned integers; each of `--workers` computes some of the rows.
//!
//! The program is that of a study that compared C with Rust. Both matrices have j in column j, so an element
//! of the product in column j is j times the sum of all numbers below the size. The loops are in the order
//! that vectorises (row, then the row's factors, then the columns), in C as well as in Rust. Sums that do not
//! fit into 32 bits wrap.
//!
//! A pass is one product. `threads` and `pthreads` start their threads for each pass; `pipes`, `pipes-shared`
//! and `crossbeam` once per run.
//!
//! Verified: each element of the last product against the formula, and the number of elements that all passes
//! have written.

mod rows;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::kernels::{
    Kernel, Ran, Scale, Setting, crossbeam, faulty, pipes, rayon, sequential, shared, skeleton, threads, twin,
};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use rows::{Matrices, Rows};

/// The options of the product.
#[derive(Args, Clone, Serialize)]
pub struct Matmul {
    /// Rows and columns
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = up_to(8192))]
    size: u64,
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
}

/// The source of the C twin, for `list --sloc`.
const TWIN: &[&str] = &[include_str!("../../../c/matmul.c"), include_str!("../../../c/twin.h")];

impl Program for Matmul {
    const NAME: &'static str = "matmul";
    const ABOUT: &'static str = "Multiply two matrices; one op is one element of the product";
    const UNIT: &'static str = "elements";
    const QUICK: &'static [&'static str] = &["--size", "64", "--passes", "10"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("pipes-shared", shared::SOURCES).in_its_own_way(shared::run),
        Contender::new("pipes-skeleton", skeleton::SOURCES).in_its_own_way(skeleton::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("threads", threads::SOURCES).in_its_own_way(threads::run),
        Contender::new("crossbeam", crossbeam::SOURCES).in_its_own_way(crossbeam::run),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run),
        Contender::new("c", TWIN).in_its_own_way(twin::c).unless(twin::missing::<Self>),
        Contender::new("pthreads", TWIN).in_its_own_way(twin::pthreads).unless(twin::missing::<Self>),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting<Matrices>;
    type Outcome = Ran;

    fn ops(&self, _: &Self::Setting) -> u64 {
        self.elements() * self.scale.passes()
    }

    fn curve(&self) -> Vec<Self> {
        self.scale.points().map(|scale| Matmul { scale, ..*self }).collect()
    }

    fn own_time(ran: &Ran) -> Option<std::time::Duration> {
        ran.own_time
    }

    fn setting(&self) -> io::Result<Self::Setting> {
        Setting::new(Matrices::of_size(self.size as usize), &self.scale)
    }

    fn verify(&self, at: &Self::Setting, ran: &Ran) -> Result<(), String> {
        at.data().verify()?;
        ran.verify(&self.scale, self.elements())
    }
}

impl Matmul {
    fn elements(&self) -> u64 {
        self.size * self.size
    }
}

impl Kernel for Matmul {
    type Data = Matrices;
    type Part<'a> = Rows<'a>;

    fn scale(&self) -> &Scale {
        &self.scale
    }

    fn parts(matrices: &mut Matrices, count: usize) -> Vec<Rows<'_>> {
        matrices.parts(count)
    }
}

impl twin::Twin for Matmul {
    const FILE: Option<&'static str> = option_env!("TWIN_MATMUL");

    fn size(&self) -> u64 {
        self.size
    }

    fn take(matrices: &mut Matrices, bytes: &[u8]) -> Option<()> {
        matrices.take(bytes)
    }
}
