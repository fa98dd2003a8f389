//! The benchmark programs, their contenders, and the command that compares them.
//!
//! ```text
//! cli ──► programs (registry, one folder each) ──► links, protocol, streams, kernels, executor
//!              │
//!              └─► harness (choose, race, verify) ──► report (table, JSON, chart)
//! ```
//!
//! A program says what is sent, by whom, and what must have arrived; the harness knows nothing but its trait `Program`,
//! and times the contenders. README.md tells what each program measures.

mod chance;
mod cli;
mod executor;
mod failure;
mod fasta;
mod files;
mod harness;
mod kernels;
mod links;
mod list;
mod options;
mod programs;
pub mod protocol;
mod report;
mod shares;
mod streams;

pub use cli::run;
