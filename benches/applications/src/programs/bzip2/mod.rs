//! Compression or decompression of a file, block by block: `Bzip2` of the Rust-SSP paper and of SPBench.
//!
//! An item is a block. The source cuts the input into blocks; a worker compresses each 900,000 bytes into a
//! bzip2 stream of its own, at level 9, or decompresses each stream; and the sink concatenates the results,
//! in order. So the output is, byte for byte, that of the original program and of `pbzip2 -9 -b9`, and any
//! bzip2 can read it. Streams are located before the clock starts, by the ten bytes with which they begin.
//!
//! `--medium memory`: the input is in memory when the clock starts, a block is a part of it that is not
//! copied, and the result is in memory when the clock stops. `--medium disk`: the source reads the input from
//! a file and the sink writes the result to another one, within the timed run.
//!
//! Queues hold eight blocks for each worker, and the libraries that keep the order themselves may run equally
//! far ahead: a block is nearly a megabyte. `tokio-narrow` is `tokio` with a window no wider than the number
//! of workers, as in the paper's program, and runs only when requested by name. `rayon` writes nothing before
//! everything is done. The timed run includes starting and ending the workers, but not the pools of `rayon`
//! and `tokio`.
//!
//! Verified: the MD5 of the output, against the sequential program.

mod codec;
mod data;
mod faulty;
mod input;
mod output;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod threads;
mod tokio;

use std::io;
use std::path::PathBuf;

use ::rayon::prelude::*;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::streams::{Checksum, Pools, Scale, Watch};
use codec::{BLOCK, Mode, Worker, compress};
use data::Kind;
use input::Input;
use output::Output;
use pipes_benches::files::{Part, as_text};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;

/// The options of the compression.
#[derive(Args, Serialize)]
pub struct Bzip2 {
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
    /// What is done to the blocks
    #[arg(long, value_name = "MODE", value_enum, default_value = "compress")]
    mode: Mode,
    /// Where the input is read from and the result written to
    #[arg(long, value_name = "MEDIUM", value_enum, default_value = "memory")]
    medium: Medium,
    /// Kind of generated data [default: text]
    #[arg(long, value_name = "KIND", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    /// Blocks of generated data, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(20_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<u64>,
    /// A file to compress or decompress instead of generated data, whatever the class
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kind", "blocks"])]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
    /// Write the result to this file
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    output: Option<PathBuf>,
}

/// Where blocks are read from, and written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Medium {
    /// Memory.
    Memory,
    /// Files.
    Disk,
}

impl Bzip2 {
    /// The number of workers.
    fn workers(&self) -> usize {
        self.scale.replicas()
    }

    /// The capacity of a queue in blocks, and how far a library that keeps the order may run ahead.
    fn window(&self) -> usize {
        8 * self.workers()
    }

    /// An empty output for the result.
    fn output(&self) -> io::Result<Output> {
        Ok(match (self.medium, &self.output) {
            (Medium::Memory, _) => Output::Memory(Vec::new()),
            (Medium::Disk, None) => Output::Disk(Part::scratch()?),
            (Medium::Disk, Some(path)) => Output::Disk(Part::beside(path)?),
        })
    }

    /// The input, read or generated.
    fn open(&self, pools: &Pools) -> io::Result<Input> {
        if let Some(path) = &self.input {
            return Input::file(path, self.mode, self.medium);
        }
        let count = self.blocks.unwrap_or(self.scale.class.of([2, 10, 100, 600, 2000]));
        let mut data = data::blocks(self.kind.unwrap_or(Kind::Text), count);
        if self.mode == Mode::Decompress {
            let streams: io::Result<Vec<_>> =
                pools.rayon.install(|| data.par_chunks(BLOCK).map(compress).collect());
            data = streams?.concat();
        }
        Input::generated(data, self.mode, self.medium)
    }
}

impl Program for Bzip2 {
    const NAME: &'static str = "bzip2";
    const ABOUT: &'static str = "Compress or decompress a file block by block; one op is one block";
    const UNIT: &'static str = "blocks";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--mode", "compress"],
        &["--mode", "compress", "--medium", "disk"],
        &["--mode", "decompress"],
        &["--mode", "decompress", "--medium", "disk"],
    ];
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
    type Outcome = Output;

    fn ops(&self, at: &Setting) -> u64 {
        at.input.len()
    }

    fn setting(&self) -> io::Result<Setting> {
        if let Some(path) = &self.output {
            // If the result cannot be written there, this is reported before anything runs.
            Part::beside(path)?;
        }
        let pools = Pools::new(self.workers())?;
        let input = self.open(&pools)?;
        let worker = Worker::new(self.mode, input.name());
        let mut setting = Setting { pools, watch: Watch::default(), input, worker, due: Checksum::default() };
        setting.due = sequential::run(self, &setting)?.checksum()?;
        if self.scale.watch {
            setting.watch.show(|| pipes::run(self, &setting))?;
        }
        Ok(setting)
    }

    fn verify(&self, at: &Setting, output: &Output) -> Result<(), String> {
        let checksum = output.checksum().map_err(|error| format!("it could not be read back: {error}"))?;
        checksum.verify(&at.due)
    }

    fn keep(&self, _: Setting, output: Output) -> io::Result<()> {
        self.output.as_ref().map_or(Ok(()), |path| output.keep(path))
    }
}

/// The pools, the input, its worker, and the expected checksum of the result.
#[derive(Debug)]
pub struct Setting {
    pools: Pools,
    watch: Watch,
    input: Input,
    worker: Worker,
    due: Checksum,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Class;

    #[test]
    fn the_streams_are_those_of_pbzip2() {
        let of = |mode| {
            let (kind, blocks) = (Some(Kind::Mixed), Some(5));
            let (input, output, medium) = (None, None, Medium::Memory);
            let scale = Scale::new(Class::Test, 1);
            let program = Bzip2 { scale, mode, medium, kind, blocks, input, output };
            program.setting().expect("the pools start").due.digits()
        };
        // The MD5 of the generated data, and of the output of pbzip2 1.1.13 for them.
        assert_eq!(of(Mode::Decompress), "b387e9565efb47d4af2ede1cce42a17d");
        assert_eq!(of(Mode::Compress), "b1535543e64ca062241e056ed56efbc3");
    }
}
