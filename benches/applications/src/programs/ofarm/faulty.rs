//! A contender that puts the first item last, to test the verification itself.

use std::io;

use super::work::Sink;
use super::{Ofarm, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Works on all items, in another order.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(Sink::of((1..farm.items()).chain([0]).map(|number| at.work.on(number))))
}
