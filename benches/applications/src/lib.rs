//! The applications: programs about streams of items, about kernels over borrowed data, k-nucleotide and
//! Graph500.
//!
//! ```text
//! programs (registry, one folder each) ──► streams, pictures, kernels, fasta, chance
//!     │
//!     └─► pipes-benches (command line, race, report, links)
//! ```
//!
//! They are built when one of them is first requested. README.md of `pipes-benches` describes what each
//! program measures.

mod chance;
mod fasta;
mod kernels;
mod pictures;
mod programs;
mod streams;

use pipes_benches::cli::Commands;

/// The programs and tools of this package.
pub static COMMANDS: Commands = Commands { programs: programs::ALL, tools: &[fasta::TOOL], others: &[] };
