//! The stage `remote` of a pipeline, and its workers.

use super::merge::merged;
use super::wire::{Damaged, LIMIT, Parcel, Tables, limit};
use super::{KNucleotide, Outcome};
use crate::count::{Counted as Counting, Traffic};
use crate::crew::Crew;
use crate::net::Net;
use crate::sides::failed;
use pipes_benches::console::note;
use pipes_k_nucleotide::chunk::{Chunk, most};
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::input::Input;
use pipes_k_nucleotide::table::Table;
use pipes_remote::Via;
use pipes_remote::farm::{FarmReport, PipelineExt, Workers, try_worker};
use pipes_skeleton::try_from_iter;
use std::any::Any;
use std::cell::RefCell;
use std::io;
use std::time::Duration;

/// The source of what the processes need besides the tables, for `list --sloc`.
pub const SOURCES: &[&str] = &[
    include_str!("farm.rs"),
    include_str!("merge.rs"),
    include_str!("wire.rs"),
    include_str!("../count.rs"),
    include_str!("../crew.rs"),
];

/// The workers, which stay for all runs.
pub struct Farm {
    crew: Crew<Parcel, Tables>,
    traffic: Traffic,
    /// The number of letters in a chunk.
    letters: usize,
    /// What keeps the address.
    _place: Box<dyn Any>,
}

impl Farm {
    /// Starts the processes, unless they are started by hand, and waits until they have joined.
    pub fn start<N: Net>(program: &KNucleotide) -> io::Result<Farm> {
        let (engine, address, place): (_, _, Box<dyn Any>) = match &program.listen {
            Some(address) => {
                let (engine, address) = N::exposed(address)?;
                (engine, address, Box::new(()))
            }
            None => {
                let (place, _) = N::place()?;
                let (engine, address) = N::engine_at(&place);
                (engine, address, Box::new(place))
            }
        };
        let (traffic, letters) = (Traffic::default(), program.chunk as usize);
        let via = Via::new(Counting { engine, traffic: traffic.clone() }).limit(limit(letters));
        let patience = Duration::from_secs(program.patience);
        let workers = Workers::listen(&via).map_err(failed)?.patience(patience);
        let mut crew = Crew::new(workers, program.processes, program.workers, patience);
        let arguments = program.arguments(&address);
        if program.listen.is_some() {
            note(&format!(
                "workers to start: {}, each with: k-nucleotide {}\n",
                program.processes,
                arguments[1..].join(" ")
            ));
            crew.wait()?;
            note("all workers are there\n");
        } else {
            crew.start(&arguments)?;
            crew.wait()?;
        }
        Ok(Farm { crew, traffic, letters, _place: place })
    }

    /// Counts this text, which is read in the thread of the pipeline's source.
    pub fn run(&self, input: &Input) -> io::Result<Outcome> {
        let Traffic { written, read } = &self.traffic;
        let (sent, received) = (written.get(), read.get());
        let chunks = input.chunks_of(self.letters)?;
        // Besides those that the workers have, some wait for them, and some to be added up.
        let window = 2 * self.crew.sessions() as usize;
        let results = try_from_iter(chunks).in_flight(window).remote(self.crew.workers(), Parcel::from);
        let counted = Counted::of(merged(results.named("count"), most(self.letters))?);
        let bytes = Some((written.get() - sent, read.get() - received));
        Ok(Outcome { counted, bytes })
    }

    /// What the workers have done in all runs.
    pub fn report(&self) -> FarmReport {
        self.crew.report()
    }

    /// Ends the workers, and waits until they have.
    pub fn end(self) -> io::Result<()> {
        self.crew.end()
    }
}

/// Works for the farm at this address, in this many threads. Returns the number of chunks.
pub fn work<N: Net>(farm: &str, replicas: u64) -> io::Result<u64> {
    try_worker(&N::via(farm)?.limit(LIMIT), replicas as usize, count).map_err(failed)
}

/// Counts the windows that end in a chunk.
fn count(parcel: Parcel) -> Result<Tables, Damaged> {
    thread_local! {
        /// They are empty between two chunks, and have the memory of the last one.
        static TABLES: RefCell<Vec<Table>> = RefCell::new(Table::all());
    }
    let chunk = Chunk::try_from(parcel)?;
    Ok(TABLES.with_borrow_mut(|tables| {
        tables.iter_mut().for_each(|table| table.count(&chunk));
        Tables::drained(tables)
    }))
}
