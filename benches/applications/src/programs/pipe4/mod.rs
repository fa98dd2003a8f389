//! Four trivial stages in sequence.
//!
//! A source counts, each stage mixes the bits of a number once more, and the sink hashes all numbers in their
//! order. A stage takes about a nanosecond, so the measured cost is that of the five hand-overs. The source,
//! each stage and the sink have a thread or task of their own, with queues of 512 items between them. The
//! timed run includes starting and ending them, but not the pools of `rayon` and `tokio`. With `--batch N`
//! the items travel as vectors of N numbers, which every stage changes in place.
//!
//! `sequential` is the same without a hand-over, and so the lower bound; it creates the batches too. `rayon`
//! has no stages: it fuses all four, and sorts the results. It is a bound for what a pool could do with this
//! work, not a pipeline. `--replicas` is the number of workers of the two pools, and does not affect the
//! others.
//!
//! Verified: number and hash of the results, against the sequential program.

mod faulty;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod stages;
mod threads;
mod tokio;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Digest, Pools, Scale, Watch};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the four stages.
#[derive(Args, Serialize)]
pub struct Pipe4 {
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
    /// Numbers that go through, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(MOST_MESSAGES))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    /// Numbers per batch
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(1_000_000))]
    batch: u64,
}

impl Pipe4 {
    /// The number of numbers that go through the stages.
    fn items(&self) -> u64 {
        self.items.unwrap_or(self.scale.class.trivial_items())
    }

    /// Runs one form or the other, depending on how the items travel.
    fn by(&self, at: &Setting, one_at_a_time: Run, batched: Run) -> io::Result<Digest> {
        Ok(if self.batch == 1 { one_at_a_time(self, at) } else { batched(self, at) })
    }
}

/// A contender, for items of one kind.
type Run = fn(&Pipe4, &Setting) -> Digest;
/// One number at a time.
type One = u64;
/// Numbers in batches.
type Batch = Vec<u64>;

impl Program for Pipe4 {
    const NAME: &'static str = "pipe4";
    const ABOUT: &'static str = "Pass numbers through four trivial stages, in order; one op is one number";
    const UNIT: &'static str = "items";
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--batch", "1"], &["--batch", "256"]];
    const QUICK: &'static [&'static str] = &["--class", "test"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .in_its_own_way(|p, at| p.by(at, pipes::run::<One>, pipes::run::<Batch>)),
        Contender::new("sequential", sequential::SOURCES)
            .in_its_own_way(|p, at| p.by(at, sequential::run::<One>, sequential::run::<Batch>)),
        Contender::new("threads", threads::SOURCES)
            .in_its_own_way(|p, at| p.by(at, threads::run::<One>, threads::run::<Batch>)),
        Contender::new("tokio", tokio::SOURCES)
            .in_its_own_way(|p, at| p.by(at, tokio::run::<One>, tokio::run::<Batch>)),
        Contender::new("pariter", pariter::SOURCES)
            .in_its_own_way(|p, at| p.by(at, pariter::run::<One>, pariter::run::<Batch>)),
        Contender::new("rayon", rayon::SOURCES)
            .in_its_own_way(|p, at| p.by(at, rayon::run::<One>, rayon::run::<Batch>)),
        Contender::new("faulty", faulty::SOURCES)
            .hidden()
            .in_its_own_way(|p, at| p.by(at, faulty::run::<One>, faulty::run::<Batch>)),
    ];

    type Setting = Setting;
    type Outcome = Digest;

    fn ops(&self, _: &Setting) -> u64 {
        self.items()
    }

    fn setting(&self) -> io::Result<Setting> {
        let mut setting = Setting {
            pools: Pools::new(self.scale.replicas())?,
            watch: Watch::default(),
            due: Digest::default(),
        };
        setting.due = sequential::run::<One>(self, &setting);
        if self.scale.watch {
            setting.watch.show(|| Ok(self.by(&setting, pipes::run::<One>, pipes::run::<Batch>)))?;
        }
        Ok(setting)
    }

    fn verify(&self, at: &Setting, digest: &Digest) -> Result<(), String> {
        digest.verify(&at.due)
    }
}

/// The pools, and the expected result.
#[derive(Debug)]
pub struct Setting {
    pools: Pools,
    watch: Watch,
    due: Digest,
}
