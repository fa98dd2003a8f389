//! A log of a web server is summed up by host: how many requests each has made, and how many bytes it was
//! sent. This is the shape of many real jobs: read, parse in parallel, sum up in parallel, emit at the end.
//!
//! The log is generated into a temporary file of `--size` MiB: hosts with skewed frequencies, and one line in
//! a thousand that cannot be parsed and is counted as an error. A run reads the file, from the system's
//! cache, and returns the table of all hosts. All contenders split and parse a line with the same function,
//! and sum up in hash tables of the same kind.
//!
//! `pipes` has the shape that its documentation shows: chunks of whole lines, and replicas whose tables are
//! merged at the end. `pipes-lines` sends each line by itself. `rayon-chunks` and `rayon-lines` do the same
//! with `par_bridge`. `pariter` has no parallel stage with a state that ends, so each chunk becomes a table
//! of its own. `threads` share a channel of chunks. `awk` is a program of one thread, timed as a process.
//!
//! The processor time is that of this process, which the system counts in units of 10 ms. The peak is that
//! of the resident memory.
//!
//! Verified: the requests and bytes of each host, and the number of errors, against the sequential program,
//! which must have found what was planted.

mod awk;
mod chunks;
mod faulty;
mod generated;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod table;
mod threads;

use std::io;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::streams::memory;
use generated::Log;
use pipes_benches::harness::{Column, Contender, Program};
use pipes_benches::options::up_to;
use table::Table;

/// The bytes that a chunk has at most.
const CHUNK: usize = 256 << 10;
/// The bytes of all chunks that are in memory at once, where a library can limit that.
const IN_FLIGHT: usize = 4 << 20;

/// The options of the job.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Logs {
    /// MiB of the log
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = up_to(16 << 10))]
    size: u64,
    /// Workers
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(256))]
    workers: u64,
    /// Hosts in the log
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = up_to(10_000_000))]
    hosts: u64,
}

impl Logs {
    fn workers(&self) -> usize {
        self.workers as usize
    }

    /// Runs a contender, and measures what it uses.
    fn measured(&self, run: impl FnOnce() -> io::Result<Table>) -> io::Result<Ran> {
        memory::forget_peak();
        let before = memory::usage();
        let table = run()?;
        let cpu = before.zip(memory::usage()).map(|(before, after)| after.0 - before.0);
        Ok(Ran { table, cpu, peak: memory::peak() })
    }
}

/// The table, and what it took.
#[derive(Debug)]
pub struct Ran {
    table: Table,
    cpu: Option<Duration>,
    peak: Option<f64>,
}

/// A contender: its function gets the log and the number of workers.
macro_rules! contender {
    ($name:literal, $module:ident, $run:path) => {
        Contender::new($name, $module::SOURCES)
            .in_its_own_way(|logs: &Logs, log: &Log| logs.measured(|| $run(log, logs.workers())))
    };
}

impl Program for Logs {
    const NAME: &'static str = "logs";
    const ABOUT: &'static str = "Sum up a log by host; one op is one byte of it";
    const UNIT: &'static str = "bytes";
    const QUICK: &'static [&'static str] = &["--size", "4"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        contender!("pipes", pipes, pipes::chunks),
        contender!("pipes-lines", pipes, pipes::lines),
        contender!("sequential", sequential, sequential::run),
        contender!("rayon-chunks", rayon, rayon::chunks),
        contender!("rayon-lines", rayon, rayon::lines),
        contender!("pariter", pariter, pariter::run),
        contender!("threads", threads, threads::run),
        contender!("awk", awk, awk::run).unless(awk::missing),
        contender!("faulty", faulty, faulty::run).hidden(),
    ];

    type Setting = Log;
    type Outcome = Ran;

    fn ops(&self, log: &Log) -> u64 {
        log.bytes()
    }

    fn setting(&self) -> io::Result<Log> {
        Log::generated(self.size << 20, self.hosts)
    }

    fn verify(&self, log: &Log, ran: &Ran) -> Result<(), String> {
        ran.table.verify(log.due())
    }

    fn columns(&self) -> &'static [Column] {
        &[Column { figure: "processor", head: "processor", has_ratio: true }]
    }

    fn figures(&self, _: &Log, ran: &Ran) -> Map<String, Value> {
        let cpu = ran.cpu.map(|cpu| ("processor".to_owned(), Value::from(cpu.as_nanos() as u64)));
        let peak = ran.peak.map(|peak| ("peak_mib".to_owned(), Value::from(peak.round() as u64)));
        cpu.into_iter().chain(peak).collect()
    }

    fn all_figures(&self) -> bool {
        true
    }
}
