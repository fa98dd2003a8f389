//! The program for a person: a pipeline of ours that prints what it finds, and nothing else.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::thread;

use pipes::skeleton::from_iter;

use super::batch::{Batch, words};
use super::query::Query;
use super::search::search;
use super::walk::Roots;

/// The room for output that is not yet written, unless stdout is a terminal.
const ROOM: usize = 1 << 16;

/// The batches that are in the pipeline, for each worker.
const WINDOW: usize = 16;

/// Searches, prints, and returns the exit code of GNU grep: 0 after a match, 1 without one, 2 after an error.
pub fn run(query: Query, roots: &Roots) -> ExitCode {
    let out = io::stdout().lock();
    let mut printer = Printer {
        out: if out.is_terminal() { Box::new(out) } else { Box::new(BufWriter::with_capacity(ROOM, out)) },
        matched: false,
        failed: false,
    };
    match search_all(query, roots, &mut printer).and_then(|()| printer.out.flush()) {
        Ok(()) => {}
        // The reader has had enough, and what was written to it was a match.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            say(format!("grep: write error: {}\n", words(&error)).as_bytes());
            printer.failed = true;
        }
    }
    ExitCode::from(if printer.failed { 2 } else { u8::from(!printer.matched) })
}

/// Says that the command line has no meaning, and returns the exit code for that.
pub fn refuse(problem: &str) -> ExitCode {
    say(format!("grep: {problem}\n").as_bytes());
    ExitCode::from(2)
}

/// Searches everything. The walk and the workers have threads; this one prints. An error is one of printing.
fn search_all(query: Query, roots: &Roots, printer: &mut Printer<'_>) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let batches = from_iter(roots.walk()).window(WINDOW * workers);
    let searched = batches.parallel(workers, move |batch| search(&query, batch));
    let searched = if roots.sorted { searched.in_order() } else { searched };
    for batch in searched {
        match batch {
            Ok(batch) => printer.take(&batch)?,
            Err(failure) => {
                say(format!("grep: {failure}\n").as_bytes());
                printer.failed = true;
            }
        }
    }
    Ok(())
}

/// What has been printed.
struct Printer<'a> {
    out: Box<dyn Write + 'a>,
    matched: bool,
    failed: bool,
}

impl Printer<'_> {
    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        self.matched |= batch.matched;
        self.failed |= batch.failed;
        self.out.write_all(&batch.output)?;
        if !batch.messages.is_empty() {
            self.out.flush()?;
            say(&batch.messages);
        }
        Ok(())
    }
}

/// Writes to stderr. Ignores errors: stderr may be closed.
fn say(text: &[u8]) {
    let _ = io::stderr().write_all(text);
}
