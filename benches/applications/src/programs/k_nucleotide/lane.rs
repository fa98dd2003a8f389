//! A worker of the shape of 2012: it receives every line, and counts the windows of one size, or only
//! receives.

use clap::ValueEnum;
use serde::Serialize;

use pipes_k_nucleotide::table::Table;

/// Whether the workers of 2012 count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// They count.
    On,
    /// They only receive, which leaves the time of the messages.
    Off,
}

/// The state of a worker.
#[derive(Debug)]
pub struct Lane {
    letters: u64,
    table: Option<Table>,
}

impl Lane {
    /// A worker for windows of this size.
    pub fn new(size: usize, counting: Counting) -> Lane {
        Lane { letters: 0, table: (counting == Counting::On).then(|| Table::new(size)) }
    }

    /// Takes the next line.
    pub fn take(&mut self, line: &[u8]) {
        self.letters += line.len() as u64;
        if let Some(table) = &mut self.table {
            table.count_line(line);
        }
    }

    /// The worker's part of the output.
    pub fn text(&self) -> String {
        self.table.as_ref().map_or_else(|| received(self.letters), Table::text)
    }
}

/// The result of a worker that only receives.
pub fn received(letters: u64) -> String {
    format!("{letters} letters\n")
}
