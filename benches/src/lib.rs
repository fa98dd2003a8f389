//! The command that runs the benchmark programs and compares their contenders, and the first of the programs.
//!
//! ```text
//! cli ──► ring ──► links, protocol, executor
//!  │           │
//!  │           └─► harness (choose, race, verify) ──► report (table, JSON, plot)
//!  │                                                     │
//!  └────► companions (pipes-channels, pipes-applications, …)     ◄─┘
//! ```
//!
//! A program defines what is sent, by which party, and what must have arrived; the harness knows only its
//! trait `Program`, and times the contenders. README.md describes what each program measures.

pub mod chance;
pub mod circle;
pub mod cli;
mod companion;
pub mod console;
pub mod entry;
pub mod executor;
pub mod failure;
pub mod files;
pub mod harness;
pub mod links;
mod list;
pub mod options;
mod programs;
pub mod protocol;
mod report;
pub mod usage;
pub mod watch;
pub mod work;

use cli::{Commands, Instead, Others};
use companion::Companion;
pub use report::{is_ours, time};

/// The programs of this package, and those of its companions.
pub static COMMANDS: Commands = Commands {
    programs: programs::ALL,
    tools: &[],
    others: &[
        Others {
            package: Companion {
                name: "pipes-channels",
                manifest: concat!(env!("CARGO_MANIFEST_DIR"), "/channels/Cargo.toml"),
                subject: "the programs about channels",
            },
            list: include_str!("../channels/list.txt"),
            instead: &[],
        },
        Others {
            package: Companion {
                name: "pipes-applications",
                manifest: concat!(env!("CARGO_MANIFEST_DIR"), "/applications/Cargo.toml"),
                subject: "the programs about streams, kernels and graphs",
            },
            list: include_str!("../applications/list.txt"),
            instead: &[],
        },
        Others {
            package: Companion {
                name: "pipes-remote-programs",
                manifest: concat!(env!("CARGO_MANIFEST_DIR"), "/applications/remote/Cargo.toml"),
                subject: "the programs between processes",
            },
            list: include_str!("../applications/remote/list.txt"),
            instead: &[
                Instead { program: "graph500", options: &["--processes", "--peers"], by: "remote-graph500" },
                Instead {
                    program: "k-nucleotide",
                    options: &["--processes", "--listen", "--work-for"],
                    by: "remote-k-nucleotide",
                },
            ],
        },
    ],
};
