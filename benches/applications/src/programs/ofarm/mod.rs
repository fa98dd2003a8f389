//! A farm that keeps the order: the sink receives the results of the workers in the order of the source.
//!
//! Workers take items from one source. The source counts, a worker mixes the bits of its number for as long
//! as `--work` specifies, and the sink hashes all results in their order. The number of steps per microsecond
//! is measured once, before any contender runs. `skewed` is the case for which windows are made: every 64th
//! item takes 64 times as long, and with a narrow window the other workers are idle until it is done.
//!
//! Queues hold 512 items, and the libraries that keep the order themselves may run 512 items ahead. `threads`
//! has no such limit: the buffer of items that wait for a slow one grows as needed. `tokio` has a task for
//! each item. The program of the Rust-SSP paper starts only as many items as there are workers; that is
//! `tokio-narrow`, which runs only when requested by name. `rayon` keeps no order: it sorts when everything
//! is done. The timed run includes starting and ending the workers, but not the pools of `rayon` and `tokio`.
//!
//! Verified: the order, and the hash of the results against that of the sequential program.

mod faulty;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod threads;
mod tokio;
mod work;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Pools, Scale, Watch};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_MESSAGES, up_to};
use work::{Kind, Sink, Work};

/// The options of the ordered farm.
#[derive(Args, Serialize)]
pub struct Ofarm {
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
    /// Items to work on, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(MOST_MESSAGES))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    /// How long an item takes
    #[arg(long, value_name = "WORK", value_enum, default_value = "trivial")]
    work: Kind,
}

impl Ofarm {
    /// The number of items.
    fn items(&self) -> u64 {
        let class = self.scale.class;
        let items = match self.work {
            Kind::Trivial => class.trivial_items(),
            Kind::OneMicrosecond => class.of([50_000, 500_000, 5_000_000, 30_000_000, 100_000_000]),
            Kind::TenMicroseconds => class.of([5_000, 50_000, 500_000, 3_000_000, 10_000_000]),
            Kind::Skewed => class.of([25_000, 250_000, 2_500_000, 15_000_000, 50_000_000]),
        };
        self.items.unwrap_or(items)
    }

    /// The number of workers.
    fn workers(&self) -> usize {
        self.scale.replicas()
    }
}

impl Program for Ofarm {
    const NAME: &'static str = "ofarm";
    const ABOUT: &'static str = "Work on items in parallel and put them in order; one op is one item";
    const UNIT: &'static str = "items";
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--work", "trivial"], &["--work", "1us"], &["--work", "10us"], &["--work", "skewed"]];
    const QUICK: &'static [&'static str] = &["--class", "test"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("threads", threads::SOURCES).in_its_own_way(threads::run),
        Contender::new("tokio", tokio::SOURCES).in_its_own_way(tokio::run),
        Contender::new("tokio-narrow", tokio::SOURCES).in_its_own_way(tokio::narrow).hidden(),
        Contender::new("pariter", pariter::SOURCES).in_its_own_way(pariter::run),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting;
    type Outcome = Sink;

    fn ops(&self, _: &Setting) -> u64 {
        self.items()
    }

    fn setting(&self) -> io::Result<Setting> {
        let (work, pools) = (Work::new(self.work), Pools::new(self.workers())?);
        let mut setting = Setting { work, pools, watch: Watch::default(), due: Sink::default() };
        setting.due = sequential::run(self, &setting)?;
        if self.scale.watch {
            setting.watch.show(|| pipes::run(self, &setting))?;
        }
        Ok(setting)
    }

    fn verify(&self, at: &Setting, sink: &Sink) -> Result<(), String> {
        sink.verify(&at.due)
    }
}

/// The work, the pools, and the expected result.
#[derive(Debug)]
pub struct Setting {
    work: Work,
    pools: Pools,
    watch: Watch,
    due: Sink,
}
