//! The program for a person: a pipeline of ours that prints the lines that it finds, and nothing else.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use pipes_skeleton::from_iter;

use super::batch::{Batch, words};
use super::search::{Query, search};
use super::walk::Roots;
use pipes_benches::failure::Failure;

/// The batches that are in the pipeline, for each worker.
const WINDOW: usize = 16;

/// Searches, prints, and returns the exit code of GNU grep: 0 after a match, 1 without one, 2 after an error.
pub fn run(pattern: &str, paths: &[PathBuf]) -> Result<ExitCode, Failure> {
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.to_vec() };
    let mut query = Query::new(pattern).map_err(|problem| Failure::Arguments(format!("grep: {problem}")))?;
    // The only file needs no name.
    query.names = paths.len() != 1 || paths[0].is_dir();
    let mut printer = Printer { out: io::stdout().lock(), matched: false, failed: false };
    match search_all(query, Roots { paths, sorted: true }, &mut printer) {
        Ok(()) => {}
        // The reader has had enough, and what was written to it was a match.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            say(format!("grep: write error: {}\n", words(&error)).as_bytes());
            printer.failed = true;
        }
    }
    Ok(ExitCode::from(if printer.failed { 2 } else { u8::from(!printer.matched) }))
}

/// Searches everything. The walk and the workers have threads; this one prints. An error is one of printing.
fn search_all(query: Query, roots: Roots, printer: &mut Printer<'_>) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let is_output = output();
    let batches = roots.walk().map(move |mut batch| {
        for path in batch.files.extract_if(.., |path| is_output(path)).collect::<Vec<_>>() {
            batch.fail(&path, "input file is also the output");
        }
        batch
    });
    let batches = from_iter(batches).in_flight(WINDOW * workers);
    for batch in batches.parallel(workers, move |batch| search(&query, batch)).in_order() {
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

/// Returns a function that recognizes the file that stdout is redirected to: a search in it could go on
/// forever.
#[cfg(unix)]
fn output() -> impl Fn(&Path) -> bool + Send {
    use std::fs::{File, Metadata};
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let place = |data: Metadata| data.is_file().then(|| (data.dev(), data.ino()));
    let out = io::stdout().as_fd().try_clone_to_owned().and_then(|out| File::from(out).metadata());
    let out = out.ok().and_then(place);
    move |path| out.is_some() && path.metadata().ok().and_then(place) == out
}

/// Elsewhere, the standard library does not compare files.
#[cfg(not(unix))]
fn output() -> impl Fn(&Path) -> bool + Send {
    |_| false
}

/// What has been printed.
struct Printer<'a> {
    out: io::StdoutLock<'a>,
    matched: bool,
    failed: bool,
}

impl Printer<'_> {
    fn take(&mut self, batch: &Batch) -> io::Result<()> {
        self.matched |= batch.matched;
        self.failed |= batch.failed;
        self.out.write_all(&batch.output)?;
        say(&batch.messages);
        Ok(())
    }
}

/// Writes to stderr. Ignores errors: stderr may be closed.
fn say(text: &[u8]) {
    let _ = io::stderr().write_all(text);
}
