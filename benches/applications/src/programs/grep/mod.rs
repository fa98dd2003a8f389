//! Folders are searched for the lines that match a pattern: the walk is the source, the search is the stage,
//! and printing is the sink. It is a race, or with PATTERN a tool for a person.
//!
//! An item is a batch of up to 64 paths, and then what is to be printed about these files. All contenders use
//! the engine of ripgrep, `grep-searcher` and `grep-regex`, with a buffer that each thread uses for one file
//! after another: what is compared is the flow and not the regex. The walk is sequential (`walkdir`), except
//! for that of `ignore`, whose threads walk and search. All files are taken for text, also by the programs
//! `rg` and `grep`, which are timed as processes, with their start. The sink collects the output in memory.
//! Queues hold 16 batches for each worker.
//!
//! The files are generated: text in nested folders, one line in 4096 with a match. The larger classes search
//! the same files again and again, because files for half a minute would fill many a disk.
//!
//! Verified: the sorted lines, against the sequential program, which must have found what was planted; with
//! `--sorted`, the lines in the order of the walk.

mod batch;
mod flow;
mod ignore;
mod lines;
mod options;
mod processes;
mod search;
mod tool;
mod tree;
mod walk;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::streams::{Class, Stream, Suite};
use flow::{Folders, Printed};
pub use options::Grep;
use pipes_benches::failure::Failure;
use pipes_benches::harness::Contender;
use search::Query;
use tree::Tree;
use walk::Roots;

impl Stream for Grep {
    const NAME: &'static str = "grep";
    const ABOUT: &'static str = "Search folders for a pattern, or race to do so; one op is one file";
    const UNIT: &'static str = "files";
    const ITEMS: &'static str = "batches of files";
    const VARIANTS: &'static [&'static [&'static str]] = &[&[], &["--sorted"]];
    const QUICK: &'static [&'static str] = &["--files", "200"];
    const OWN: &'static [Contender<Suite<Grep>>] = &[ignore::CONTENDER, processes::RG, processes::GREP];

    type Flow = Folders;

    fn check(&self) -> Result<(), String> {
        Query::new(self.pattern()).map(drop)
    }

    fn tool(&self, given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let pattern = self.search.as_ref()?;
        Some(match given.first() {
            None => tool::run(pattern, &self.paths),
            Some(other) => {
                Err(Failure::Arguments(format!("grep: --{other} belongs to the race, which has no PATTERN")))
            }
        })
    }

    fn flow(&self, class: Class) -> io::Result<Folders> {
        let query = Query::new(self.pattern()).map_err(io::Error::other)?;
        let (tree, paths) = match &self.input {
            Some(folder) => {
                let problem = match folder.metadata() {
                    Ok(data) if data.is_dir() => None,
                    Ok(_) => Some("it is no folder".to_owned()),
                    Err(error) => Some(batch::words(&error)),
                };
                if let Some(problem) = problem {
                    let folder = folder.display();
                    return Err(io::Error::other(format!("{folder} could not be searched: {problem}")));
                }
                (None, vec![folder.clone()])
            }
            None => {
                let (files, passes) =
                    class.of([(4_000, 1), (20_000, 2), (20_000, 20), (20_000, 120), (20_000, 400)]);
                let passes = if self.files.is_some() { 1 } else { passes };
                let tree = Tree::new(self.files.unwrap_or(files))?;
                let paths = vec![Path::to_owned(tree.path()); passes];
                (Some(tree), paths)
            }
        };
        // Only the default pattern finds what was planted.
        let planted = tree.as_ref().filter(|_| self.pattern.is_none()).map(|tree| paths.len() * tree.planted);
        Folders::new(query, self.pattern(), Roots { paths, sorted: self.sorted }, tree, planted)
    }

    fn figures(&self, _: &Folders, printed: &Printed) -> Map<String, Value> {
        printed.figures()
    }
}
