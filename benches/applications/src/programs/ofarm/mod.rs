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

mod work;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Class, Digest, Flow, Stream};
use pipes_benches::options::{MOST_MESSAGES, up_to};
use work::{Kind, Work};

/// The options of the ordered farm.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Ofarm {
    /// Items to work on, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(MOST_MESSAGES))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    /// How long an item takes
    #[arg(long, value_name = "WORK", value_enum, default_value = "trivial")]
    work: Kind,
}

impl Stream for Ofarm {
    const NAME: &'static str = "ofarm";
    const ABOUT: &'static str = "Work on items in parallel and put them in order; one op is one item";
    const UNIT: &'static str = "items";
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--work", "trivial"], &["--work", "1us"], &["--work", "10us"], &["--work", "skewed"]];
    const QUICK: &'static [&'static str] = &["--items", "4000"];

    type Flow = Items;

    fn flow(&self, class: Class) -> io::Result<Items> {
        let items = match self.work {
            Kind::Trivial => class.trivial_items(),
            Kind::OneMicrosecond => class.of([50_000, 500_000, 5_000_000, 30_000_000, 100_000_000]),
            Kind::TenMicroseconds => class.of([5_000, 50_000, 500_000, 3_000_000, 10_000_000]),
            Kind::Skewed => class.of([25_000, 250_000, 2_500_000, 15_000_000, 50_000_000]),
        };
        Ok(Items { items: self.items.unwrap_or(items), work: Work::new(self.work) })
    }
}

/// Numbers, and the work on each.
#[derive(Debug)]
pub struct Items {
    items: u64,
    work: Work,
}

impl Flow for Items {
    /// The number of an item, and its result behind the stage.
    type Item = u64;
    type Sink = Digest;
    type Answer = Digest;

    const STAGES: &'static [&'static str] = &["work"];

    fn ops(&self) -> u64 {
        self.items
    }

    fn source(&self) -> io::Result<impl Iterator<Item = u64> + Send + 'static> {
        Ok(0..self.items)
    }

    #[inline]
    fn work(&self, _: usize, number: u64) -> u64 {
        self.work.on(number)
    }

    fn sink(&self) -> io::Result<Digest> {
        Ok(Digest::default())
    }

    #[inline]
    fn take(&self, digest: &mut Digest, result: u64) -> io::Result<()> {
        digest.note(result);
        Ok(())
    }

    fn answer(&self, digest: &Digest) -> io::Result<Digest> {
        Ok(*digest)
    }

    fn verify(&self, digest: &Digest, due: &Digest) -> Result<(), String> {
        digest.verify(due)
    }

    fn spoil(&self, digest: &mut Digest) {
        digest.note(0);
    }
}
