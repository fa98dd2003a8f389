//! Folders are searched for the lines that match a pattern: the walk is the source, the search is the stage,
//! and printing is the sink. It is a race, or with PATTERN a tool for a person.
//!
//! An item is a batch of up to 64 paths, and then what is to be printed about these files. All contenders use
//! the engine of ripgrep, `grep-searcher` and `grep-regex`, with a buffer that each thread uses for one file
//! after another: what is compared is the flow and not the regex. The walk is sequential (`walkdir`), except
//! for that of `ignore`, whose threads walk and search. In the race all files are taken for text, also by the
//! programs `rg` and `grep`, which are timed as processes, with their start. The sink collects the output in
//! memory. Queues hold 16 batches for each worker.
//!
//! The files are generated: text in nested folders, one line in 4096 with a match. The larger classes search
//! the same files again and again, because files for half a minute would fill many a disk.
//!
//! Verified: the sorted lines, against the sequential program, which must have found what was planted; with
//! `--sorted`, the lines in the order of the walk.

mod batch;
mod destination;
mod flow;
mod ignore;
mod lines;
mod options;
mod page;
mod processes;
mod query;
mod search;
mod tool;
mod tree;
mod walk;

pub use options::Grep;
