//! The flow of the race: what is searched, and what was printed.

use std::io;

use serde_json::{Map, Value};

use super::batch::Batch;
use super::lines::Lines;
use super::search::{Query, search};
use super::tree::Tree;
use super::walk::Roots;
use crate::streams::{Flow, Reorder};

/// Folders, and what is searched for in their files.
#[derive(Debug)]
pub struct Folders {
    /// The compiled pattern.
    pub query: Query,
    /// The pattern, for other programs.
    pub pattern: String,
    /// The folders.
    pub roots: Roots,
    /// The number of files.
    files: u64,
    /// How many lines match, if that is known from the beginning.
    planted: Option<usize>,
    /// The generated files, which are deleted at the end.
    _tree: Option<Tree>,
}

impl Folders {
    /// Counts the files; there must be some.
    pub fn new(
        query: Query,
        pattern: &str,
        roots: Roots,
        tree: Option<Tree>,
        planted: Option<usize>,
    ) -> io::Result<Folders> {
        let files = roots.walk().map(|batch| batch.files.len() as u64).sum();
        if files == 0 {
            let names: Vec<_> = roots.paths.iter().map(|path| path.display().to_string()).collect();
            return Err(io::Error::other(format!("there is no file to search in {}", names.join(", "))));
        }
        Ok(Folders { query, pattern: pattern.to_owned(), roots, files, planted, _tree: tree })
    }
}

impl Flow for Folders {
    type Item = Batch;
    type Sink = Printed;
    type Answer = Lines;

    const STAGES: &'static [&'static str] = &["search"];
    const ORDERED: bool = false;

    fn ops(&self) -> u64 {
        self.files
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Batch> + Send + 'static> {
        Ok(self.roots.walk())
    }

    fn work(&self, _: usize, batch: Batch) -> Batch {
        search(&self.query, batch)
    }

    fn sink(&self) -> io::Result<Printed> {
        Ok(Printed { order: self.roots.sorted.then(Reorder::new), ..Printed::default() })
    }

    fn take(&self, printed: &mut Printed, batch: Batch) -> io::Result<()> {
        match printed.order.take() {
            None => printed.take(&batch),
            Some(mut order) => {
                order.put(batch.number, batch).for_each(|batch| printed.take(&batch));
                printed.order = Some(order);
            }
        }
        Ok(())
    }

    fn answer(&self, printed: &Printed) -> io::Result<Lines> {
        Ok(Lines::of(&printed.output, self.roots.sorted))
    }

    fn verify(&self, lines: &Lines, due: &Lines) -> Result<(), String> {
        lines.verify(due)?;
        match self.planted.filter(|planted| *planted != lines.count()) {
            None => Ok(()),
            Some(planted) => {
                Err(format!("{} lines were printed, but {planted} matches were planted", lines.count()))
            }
        }
    }

    fn spoil(&self, printed: &mut Printed) {
        printed.output.extend_from_slice(b"spoiled\n");
    }

    fn window(&self, replicas: usize) -> usize {
        16 * replicas
    }
}

/// What was printed in a run.
#[derive(Debug, Default)]
pub struct Printed {
    /// The lines.
    output: Vec<u8>,
    /// How many batches have something that could not be read.
    failed: u64,
    /// Batches that wait for those before them, if the order matters.
    order: Option<Reorder<Batch>>,
}

impl From<Vec<u8>> for Printed {
    /// What another program has printed.
    fn from(output: Vec<u8>) -> Printed {
        Printed { output, ..Printed::default() }
    }
}

impl Printed {
    /// Prints what was found in a batch.
    pub fn take(&mut self, batch: &Batch) {
        self.output.extend_from_slice(&batch.output);
        self.failed += u64::from(batch.failed);
    }

    /// The number of lines, and whether something is missing.
    pub fn figures(&self) -> Map<String, Value> {
        let lines = self.output.split_inclusive(|byte| *byte == b'\n').count();
        let mut figures = Map::from_iter([("lines".to_owned(), lines.into())]);
        if self.failed > 0 {
            figures.insert("batches_with_unreadable_files".to_owned(), self.failed.into());
        }
        figures
    }
}
