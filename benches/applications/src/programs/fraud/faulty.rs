//! A contender that passes everything on twice, to test the verification itself.

use std::io;

use super::sink::Found;
use super::{Fraud, Setting, sequential};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Scores all transactions, and counts what it finds twice.
pub fn run(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let found = sequential::run(fraud, at)?;
    Ok(found.clone().and(found))
}
