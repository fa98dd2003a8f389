//! A large file is summed up in parallel, in bounded memory, with progress, counted errors, and Ctrl-C.
//!
//!     cargo run --example summing_up
//!
//! Give it the log of a web server as an argument, or `-` for standard input. Without one, a small log is
//! summed up.
//! The source reads chunks of whole lines, each replica of the farm has a table of its own, and these few
//! tables are merged at the end.
//!
//! Ctrl-C drains the pipeline: the source takes no more chunks, and the program prints the sums so far. A
//! `read` that blocks cannot be interrupted, so a second Ctrl-C cancels the pipeline, which does not wait for
//! the `read`.

use pipes_skeleton::{Cancel, LineChunk, fold, line_chunks};
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The bytes of a chunk, and of all chunks that are in memory at the same time.
const CHUNK: usize = 256 << 10;
const IN_FLIGHT: usize = 4 << 20;

const SMALL: &str = "\
10.0.0.1 - - [30/Nov/2026:16:00:00 +0000] \"GET / HTTP/1.1\" 200 512
10.0.0.2 - - [30/Nov/2026:16:00:01 +0000] \"GET /logo.png HTTP/1.1\" 200 9000
10.0.0.1 - - [30/Nov/2026:16:00:02 +0000] \"GET /logo.png HTTP/1.1\" 304 -
this is no request
";

/// The bytes for each host, and the number of lines that are no requests.
#[derive(Default)]
struct Table {
    hosts: HashMap<String, u64>,
    wrong: u64,
}

impl Table {
    fn add(&mut self, line: &str) {
        let Some((host, bytes)) = parse(line) else { return self.wrong += 1 };
        match self.hosts.get_mut(host) {
            Some(sum) => *sum += bytes,
            None => _ = self.hosts.insert(host.to_owned(), bytes),
        }
    }

    fn and(mut self, other: Table) -> Table {
        other.hosts.into_iter().for_each(|(host, bytes)| *self.hosts.entry(host).or_default() += bytes);
        self.wrong += other.wrong;
        self
    }
}

fn parse(line: &str) -> Option<(&str, u64)> {
    let (host, rest) = line.split_once(' ')?;
    let (_, bytes) = rest.rsplit_once("\" ")?.1.split_once(' ')?;
    Some((host, if bytes == "-" { 0 } else { bytes.parse().ok()? }))
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let file: Box<dyn Read + Send> = match std::env::args().nth(1).as_deref() {
        Some("-") => Box::new(io::stdin()),
        Some(path) => Box::new(File::open(path).map_err(|error| format!("{path}: {error}"))?),
        None => Box::new(Cursor::new(SMALL)),
    };
    let (cancel, done) = (Cancel::new(), Arc::new(AtomicU64::new(0)));
    let (cancels, counter) = (cancel.clone(), done.clone());
    ctrlc::set_handler(move || if cancels.is_draining() { cancels.cancel() } else { cancels.drain() })?;
    let mut shown = Instant::now();

    let tables = line_chunks(file, CHUNK)
        .inspect(move |chunk| {
            let done = counter.fetch_add(chunk.len() as u64, Relaxed);
            if shown.elapsed() > Duration::from_secs(1) {
                eprint!("\r{} MB", done >> 20);
                shown = Instant::now();
            }
        })
        .in_flight_bytes(IN_FLIGHT, |chunk| chunk.len())
        .parallel_gather(2, |_replica| {
            fold(Table::default(), |mut table: Table, chunk: LineChunk| {
                chunk.lines().for_each(|line| table.add(&String::from_utf8_lossy(line)));
                table
            })
        })
        .cancelled_by(&cancel);
    let table = match tables.reduce(Table::and) {
        Err(failure) if failure.is_cancelled() => return Ok(ExitCode::from(130)),
        table => table?.unwrap_or_default(),
    };
    if cancel.is_draining() {
        eprintln!("\rstopped after {} bytes", done.load(Relaxed));
    }

    let mut hosts: Vec<_> = table.hosts.into_iter().collect();
    hosts.sort_by(|(_, one), (_, other)| other.cmp(one));
    for (host, bytes) in hosts.iter().take(10) {
        println!("{host}: {bytes} bytes");
    }
    println!("{} hosts, {} lines are no requests", hosts.len(), table.wrong);
    Ok(if cancel.is_draining() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}
