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
mod input;
mod output;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;

use crate::streams::{Checksum, Class, Flow, Stream};
use codec::{BLOCK, Block, Mode, Worker, compress};
use data::Kind;
use input::Input;
use output::Output;
use pipes_benches::files::{Part, as_text};
use pipes_benches::options::up_to;

/// The options of the compression.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Bzip2 {
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

impl Bzip2 {
    /// The input, read or generated.
    fn open(&self, class: Class) -> io::Result<Input> {
        if let Some(path) = &self.input {
            return Input::file(path, self.mode, self.medium);
        }
        let count = self.blocks.unwrap_or(class.of([2, 10, 100, 600, 2000]));
        let mut data = data::blocks(self.kind.unwrap_or(Kind::Text), count);
        if self.mode == Mode::Decompress {
            let streams: io::Result<Vec<_>> = data.par_chunks(BLOCK).map(compress).collect();
            data = streams?.concat();
        }
        Input::generated(data, self.mode, self.medium)
    }
}

impl Stream for Bzip2 {
    const NAME: &'static str = "bzip2";
    const ABOUT: &'static str = "Compress or decompress a file block by block; one op is one block";
    const UNIT: &'static str = "blocks";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--mode", "compress"],
        &["--mode", "compress", "--medium", "disk"],
        &["--mode", "decompress"],
        &["--mode", "decompress", "--medium", "disk"],
    ];

    type Flow = Blocks;

    fn flow(&self, class: Class) -> io::Result<Blocks> {
        if let Some(path) = &self.output {
            // If the result cannot be written there, this is reported before anything runs.
            Part::beside(path)?;
        }
        let input = self.open(class)?;
        let worker = Worker::new(self.mode, input.name());
        Ok(Blocks { input, worker, medium: self.medium, output: self.output.clone() })
    }

    fn keep(&self, _: &Blocks, output: Output) -> io::Result<()> {
        self.output.as_ref().map_or(Ok(()), |path| output.keep(path))
    }
}

/// The input, what is done to its blocks, and where the output goes.
#[derive(Debug)]
pub struct Blocks {
    input: Input,
    worker: Worker,
    medium: Medium,
    output: Option<PathBuf>,
}

/// A block on its way.
#[derive(Debug)]
pub enum Piece {
    /// It was read, or could not be.
    Read(io::Result<Block>),
    /// It was compressed or decompressed, or could not be.
    Done(io::Result<Vec<u8>>),
}

impl Flow for Blocks {
    type Item = Piece;
    type Sink = Output;
    type Answer = Checksum;

    const STAGES: &'static [&'static str] = &["codec"];

    fn ops(&self) -> u64 {
        self.input.len()
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Piece> + Send + 'static> {
        Ok(self.input.blocks()?.map(Piece::Read))
    }

    fn work(&self, _: usize, piece: Piece) -> Piece {
        match piece {
            Piece::Read(block) => Piece::Done(self.worker.on(block)),
            done @ Piece::Done(_) => done,
        }
    }

    fn sink(&self) -> io::Result<Output> {
        Ok(match (self.medium, &self.output) {
            (Medium::Memory, _) => Output::Memory(Vec::new()),
            (Medium::Disk, None) => Output::Disk(Part::scratch()?),
            (Medium::Disk, Some(path)) => Output::Disk(Part::beside(path)?),
        })
    }

    fn take(&self, output: &mut Output, piece: Piece) -> io::Result<()> {
        match piece {
            Piece::Done(block) => output.put(block?),
            Piece::Read(block) => block.map(drop),
        }
    }

    fn answer(&self, output: &Output) -> io::Result<Checksum> {
        output.checksum()
    }

    fn verify(&self, checksum: &Checksum, due: &Checksum) -> Result<(), String> {
        checksum.verify(due)
    }

    fn spoil(&self, output: &mut Output) {
        // If that fails, the run is not wrong, which the test reports.
        let _ = output.put(vec![0]);
    }

    fn window(&self, replicas: usize) -> usize {
        8 * replicas
    }
}

/// Where blocks are read from, and written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// Memory.
    Memory,
    /// Files.
    Disk,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::answer;

    #[test]
    fn the_streams_are_those_of_pbzip2() {
        let of = |mode| {
            let (kind, blocks) = (Some(Kind::Mixed), Some(5));
            let (input, output, medium) = (None, None, Medium::Memory);
            answer(Bzip2 { mode, medium, kind, blocks, input, output }, Class::Test).digits()
        };
        // The MD5 of the generated data, and of the output of pbzip2 1.1.13 for them.
        assert_eq!(of(Mode::Decompress), "b387e9565efb47d4af2ede1cce42a17d");
        assert_eq!(of(Mode::Compress), "b1535543e64ca062241e056ed56efbc3");
    }
}
