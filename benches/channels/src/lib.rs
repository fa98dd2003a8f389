//! The programs about channels: one verb or one shape of communication each, without any other work.
//!
//! ```text
//! programs (registry, one folder each) ──► either, merge, protocol, senders, shares, latency
//!     │
//!     └─► pipes-benches (command line, race, report, links)
//! ```
//!
//! They are built when one of them is first requested. README.md of `pipes-benches` describes what each
//! program measures.

mod either;
mod latency;
mod merge;
mod programs;
pub mod protocol;
mod senders;
mod shares;

use pipes_benches::cli::Commands;

/// The programs of this package.
pub static COMMANDS: Commands = Commands { programs: programs::ALL, tools: &[], others: &[] };
