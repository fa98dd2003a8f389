//! The work of the farm in this process: the stage `parallel` of a pipeline, and a loop.

use super::work::Steps;
use super::{Farm, Outcome};
use crate::sides::failed;
use pipes_skeleton::from_iter;
use std::io;
use std::time::Instant;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("here.rs")];

pub fn local(farm: &Farm, steps: Steps) -> io::Result<Outcome> {
    let (mut results, begun) = (Vec::new(), Instant::now());
    from_iter(0..farm.items())
        .parallel(farm.workers as usize, move |number| steps.on(number))
        .in_order()
        .for_each(|result| results.push(result))
        .map_err(failed)?;
    Ok(Outcome::new(results, begun.elapsed()))
}

pub fn sequential(farm: &Farm, steps: Steps) -> Outcome {
    let begun = Instant::now();
    let results = (0..farm.items()).map(|number| steps.on(number)).collect();
    Outcome::new(results, begun.elapsed())
}
