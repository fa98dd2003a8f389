//! The applications: programs about streams of items, about kernels over borrowed data, k-nucleotide and
//! Graph500.
//!
//! ```text
//! programs (registry, one folder each) ──► streams, pictures, kernels, fasta
//!     │
//!     ├─► pipes-graph500 (what graph500 searches, and our workers)
//!     ├─► pipes-k-nucleotide (what k-nucleotide counts, and our workers)
//!     └─► pipes-benches (command line, race, report, links, chance)
//! ```
//!
//! They are built when one of them is first requested. README.md of `pipes-benches` says where to read what
//! each of them measures.

mod fasta;
mod kernels;
mod pictures;
mod programs;
mod streams;

use pipes_benches::chance;
use pipes_benches::cli::Commands;

/// The programs and tools of this package.
pub static COMMANDS: Commands = Commands { programs: programs::ALL, tools: &[fasta::TOOL], others: &[] };
