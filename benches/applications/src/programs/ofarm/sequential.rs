//! All items in one thread: what every other contender is compared with.

use std::io;

use super::work::Sink;
use super::{Ofarm, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Item after item.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(Sink::of((0..farm.items()).map(|number| at.work.on(number))))
}
