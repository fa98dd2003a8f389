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

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Class, Digest, Flow, Shape, Stream};
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the four stages.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Pipe4 {
    /// Numbers that go through, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(MOST_MESSAGES))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
}

impl Stream for Pipe4 {
    const NAME: &'static str = "pipe4";
    const ABOUT: &'static str = "Pass numbers through four trivial stages, in order; one op is one number";
    const UNIT: &'static str = "items";
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--batch", "1"], &["--batch", "256"]];
    const QUICK: &'static [&'static str] = &["--items", "20000"];
    const SHAPES: &'static [Shape] = &[Shape::Pipeline];

    type Flow = Numbers;

    fn flow(&self, class: Class) -> io::Result<Numbers> {
        Ok(Numbers { items: self.items.unwrap_or(class.trivial_items()) })
    }
}

/// Numbers, whose bits are mixed.
#[derive(Debug)]
pub struct Numbers {
    items: u64,
}

impl Flow for Numbers {
    type Item = u64;
    type Sink = Digest;
    type Answer = Digest;

    const STAGES: &'static [&'static str] = &["first", "second", "third", "fourth"];

    fn ops(&self) -> u64 {
        self.items
    }

    fn source(&self) -> io::Result<impl Iterator<Item = u64> + Send + 'static> {
        Ok(0..self.items)
    }

    #[inline]
    fn work(&self, stage: usize, number: u64) -> u64 {
        match stage {
            0 => number.wrapping_add(0x9e37_79b9_7f4a_7c15),
            1 => (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9),
            2 => (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb),
            _ => number ^ (number >> 31),
        }
    }

    fn sink(&self) -> io::Result<Digest> {
        Ok(Digest::default())
    }

    #[inline]
    fn take(&self, digest: &mut Digest, number: u64) -> io::Result<()> {
        digest.note(number);
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
