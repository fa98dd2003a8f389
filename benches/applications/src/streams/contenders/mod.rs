//! The contenders, written once for all programs of the suite.

mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod threads;
mod tokio;

use std::io;

use super::{Flow, Setting};

pub use pariter::Pariter;
pub use pipes::Pipes;
pub use rayon::Rayon;
pub use sequential::Sequential;
pub use threads::Threads;
pub use tokio::{Tokio, TokioNarrow};

/// A contender: a way to run any flow.
pub trait Way: 'static {
    /// The word on the command line.
    const NAME: &'static str;
    /// The sources of its files, for `list --sloc`.
    const SOURCES: &'static [&'static str];

    /// Runs a flow.
    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink>;
}

/// A contender with a wrong result, to test the verification itself.
#[derive(Debug)]
pub enum Faulty {}

impl Way for Faulty {
    const NAME: &'static str = "faulty";
    const SOURCES: &'static [&'static str] = &[include_str!("mod.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let mut sink = Sequential::run(at)?;
        at.flow.spoil(&mut sink);
        Ok(sink)
    }
}
