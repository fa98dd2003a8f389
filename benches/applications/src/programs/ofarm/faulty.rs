//! A contender that lets the first item come last, so that the verification itself can be tested.

use std::io;

use super::work::Sink;
use super::{Ofarm, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// All items, in another order.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(Sink::of((1..farm.items()).chain([0]).map(|number| at.work.on(number))))
}
