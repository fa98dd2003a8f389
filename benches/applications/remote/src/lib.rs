//! The programs about protocols between processes, on one machine.
//!
//! ```text
//! graph500 ──► pipes-graph500 (the workers, the graph, the rules)
//!     │  └──► count (bytes of an engine)
//! k_nucleotide ──► pipes-k-nucleotide (the text, the tables)
//!     │  └──► count
//! farm, k_nucleotide ──► crew (processes of a farm) ──► pipes_remote::farm
//!     │
//! pingpong, stream, session, rpc ──► sides (one process or two)
//!     │                                └─► net (TCP, Unix sockets), secured (TLS, QUIC), websocket
//!     └─► pipes-benches (command line, race, report)
//! ```
//!
//! They are built when one of them is first requested. README.md of `pipes-benches` says where to read what
//! each of them measures.

mod count;
mod crew;
mod farm;
mod graph500;
mod k_nucleotide;
mod net;
mod pingpong;
mod rpc;
mod secured;
mod session;
mod sides;
mod stream;
mod websocket;

use pipes_benches::cli::Commands;
use pipes_benches::entry::Entry;

/// The programs of this package.
pub static COMMANDS: Commands = Commands {
    programs: &[
        Entry::of::<pingpong::Pingpong>(),
        Entry::of::<stream::Stream>(),
        Entry::of::<session::Session>(),
        Entry::of::<rpc::Rpc>(),
        Entry::of::<farm::Farm>(),
        Entry::of::<graph500::Search>(),
        Entry::of::<k_nucleotide::KNucleotide>(),
    ],
    tools: &[],
    others: &[],
};
