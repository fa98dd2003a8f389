//! The prices of options by the Black-Scholes formula; each of `--workers` prices a block of the options.
//!
//! The formula is that of the PARSEC program of the same name, in single precision, with the logarithm and
//! the exponential function of the system's library. A set of 1,000 options is repeated up to `--size`;
//! 65,536 is PARSEC's `simlarge`, which also makes 100 passes. In PARSEC the threads make all passes over
//! their block without synchronizing; here a pass ends when all prices have been computed. No option is left
//! out if the number of options is not divisible by the number of workers. `c` and `pthreads` compute the
//! same formula in the same order, without `-ffast-math`.
//!
//! A pass prices all options. `threads` and `pthreads` start their threads for each pass; `pipes`,
//! `pipes-shared` and `crossbeam` once per run.
//!
//! Verified: each price of the last pass, to 0.0001 as in PARSEC, against a computation in double precision
//! that obtains the normal distribution in a different way; and the number of prices that all passes have
//! written.

mod formula;
mod portfolio;
mod reference;

use std::io;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::kernels::{
    Kernel, Ran, Scale, Setting, crossbeam, faulty, pipes, rayon, sequential, shared, skeleton, threads, twin,
};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use portfolio::{Block, Portfolio};

/// The options of the pricing program.
#[derive(Args, Clone, Serialize)]
pub struct Blackscholes {
    /// Options to price
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = up_to(50_000_000))]
    size: u64,
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
}

/// The source of the C twin, for `list --sloc`.
const TWIN: &[&str] = &[include_str!("../../../c/blackscholes.c"), include_str!("../../../c/twin.h")];

impl Program for Blackscholes {
    const NAME: &'static str = "blackscholes";
    const ABOUT: &'static str = "Price options; one op is one price";
    const UNIT: &'static str = "prices";
    const QUICK: &'static [&'static str] = &["--size", "4096", "--passes", "10"];
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

    type Setting = Setting<Portfolio>;
    type Outcome = Ran;

    fn ops(&self, _: &Self::Setting) -> u64 {
        self.size * self.scale.passes()
    }

    fn curve(&self) -> Vec<Self> {
        self.scale.points().map(|scale| Blackscholes { scale, ..*self }).collect()
    }

    fn own_time(ran: &Ran) -> Option<Duration> {
        ran.own_time
    }

    fn setting(&self) -> io::Result<Self::Setting> {
        Setting::new(Portfolio::of_size(self.size as usize), &self.scale)
    }

    fn verify(&self, at: &Self::Setting, ran: &Ran) -> Result<(), String> {
        at.data().verify()?;
        ran.verify(&self.scale, self.size)
    }
}

impl Kernel for Blackscholes {
    type Data = Portfolio;
    type Part<'a> = Block<'a>;

    fn scale(&self) -> &Scale {
        &self.scale
    }

    fn parts(portfolio: &mut Portfolio, count: usize) -> Vec<Block<'_>> {
        portfolio.parts(count)
    }
}

impl twin::Twin for Blackscholes {
    const FILE: Option<&'static str> = option_env!("TWIN_BLACKSCHOLES");

    fn size(&self) -> u64 {
        self.size
    }

    fn take(portfolio: &mut Portfolio, bytes: &[u8]) -> Option<()> {
        portfolio.take(bytes)
    }
}
