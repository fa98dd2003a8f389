//! A chunk, to be counted for one size by any worker.

use std::sync::Arc;

use pipes_k_nucleotide::chunk::Chunk;
use pipes_k_nucleotide::table::{SIZES, Table};

/// One chunk to be counted for one size.
#[derive(Clone, Debug)]
pub struct Job {
    which: usize,
    chunk: Arc<Chunk>,
}

impl Job {
    /// The jobs for a chunk, the longest first. The more letters a window has, the farther apart its counts
    /// are in memory.
    pub fn all(chunk: Chunk) -> impl Iterator<Item = Job> {
        let chunk = Arc::new(chunk);
        (0..SIZES.len()).rev().map(move |which| Job { which, chunk: chunk.clone() })
    }

    /// Counts the windows.
    pub fn count(&self, tables: &mut [Table]) {
        tables[self.which].count(&self.chunk);
    }
}
