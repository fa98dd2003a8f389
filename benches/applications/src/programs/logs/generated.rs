//! The log, in a temporary file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use pipes_benches::chance::Chance;
use tempfile::NamedTempFile;

use super::sequential;
use super::table::Table;

/// A log, and the table that it has.
#[derive(Debug)]
pub struct Log {
    file: NamedTempFile,
    bytes: u64,
    due: Table,
}

/// On average, one line in this number of lines cannot be parsed.
const WRONG: u64 = 1000;

impl Log {
    /// Writes a log of about this many bytes, with this many hosts.
    pub fn generated(bytes: u64, hosts: u64) -> io::Result<Log> {
        let file = NamedTempFile::with_prefix("pipes-logs-")?;
        let mut writer = BufWriter::with_capacity(1 << 20, file.as_file());
        let (mut chance, mut line, mut written, mut wrong) = (Chance::new(7), String::new(), 0, 0);
        while written < bytes {
            line.clear();
            let is_wrong = chance.below(WRONG) == 0;
            wrong += u64::from(is_wrong);
            describe(&mut line, &mut chance, hosts, is_wrong);
            writer.write_all(line.as_bytes())?;
            written += line.len() as u64;
        }
        writer.flush()?;
        drop(writer);
        let mut log = Log { file, bytes: written, due: Table::default() };
        log.due = sequential::run(&log, 1)?;
        if log.due.errors() != wrong {
            return Err(io::Error::other("the sequential program has not found the lines that are wrong"));
        }
        Ok(log)
    }

    /// Opens the log.
    pub fn open(&self) -> io::Result<File> {
        File::open(self.path())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The table of the log.
    pub fn due(&self) -> &Table {
        &self.due
    }
}

/// Writes a line.
fn describe(line: &mut String, chance: &mut Chance, hosts: u64, is_wrong: bool) {
    // The smaller of two numbers: the first hosts are the most frequent ones.
    let host = chance.below(hosts).min(chance.below(hosts));
    let (a, b, c) = (host >> 16 & 255, host >> 8 & 255, host & 255);
    let (minute, second) = (chance.below(60), chance.below(60));
    let page = chance.below(5000);
    let (status, bytes) = ([200, 200, 200, 304, 404][chance.below(5) as usize], chance.below(1 << 20));
    let _ = write!(line, "10.{a}.{b}.{c} - - [30/Nov/2026:16:{minute:02}:{second:02} +0000] ");
    let _ = match status {
        _ if is_wrong => writeln!(line, "\"GET /pages/{page}.html HTTP/1.1"),
        304 => writeln!(line, "\"GET /pages/{page}.html HTTP/1.1\" 304 -"),
        _ => writeln!(line, "\"GET /pages/{page}.html HTTP/1.1\" {status} {bytes}"),
    };
}
