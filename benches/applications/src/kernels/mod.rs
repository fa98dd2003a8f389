//! Code shared by the programs about kernels: parts of borrowed data, and all contenders that work on them.
//!
//! A *kernel* has data that can be divided into *parts*: borrowed slices of what is read and, where something
//! is written, of what is written. A *pass* is the work on all parts, once; it ends when the caller has the
//! whole result. Each contender divides the data itself and makes `--passes` passes in a run; all call the
//! same compiled function for a part.

pub mod crossbeam;
pub mod faulty;
pub mod pipes;
pub mod rayon;
mod scale;
pub mod sequential;
pub mod shared;
pub mod skeleton;
pub mod threads;
pub mod twin;

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::rayon::{ThreadPool, ThreadPoolBuilder};

use pipes_benches::harness::Program;
pub use scale::Scale;

/// A part of the data, on which one worker works at a time.
pub trait Part: Send {
    /// Does the work, and returns what the part adds to the result: its sum, or the number of elements it has
    /// written.
    fn work(&mut self) -> f64;
}

/// A program whose data can be divided into parts.
pub trait Kernel: Program<Setting = Setting<Self::Data>, Outcome = Ran> {
    /// What is read, and what is written.
    type Data: Send;
    /// A part of the data.
    type Part<'a>: Part;

    /// The options that all kernels share.
    fn scale(&self) -> &Scale;

    /// Divides the data into `count` parts that differ by at most one row or element, or into fewer, if some
    /// would be empty.
    fn parts(data: &mut Self::Data, count: usize) -> Vec<Self::Part<'_>>;
}

/// What a kernel's contenders use, prepared outside the timed part.
#[derive(Debug)]
pub struct Setting<D> {
    data: Mutex<D>,
    rayon: ThreadPool,
}

impl<D> Setting<D> {
    /// A setting with these data, and with a pool of the requested number of workers.
    pub fn new(data: D, scale: &Scale) -> io::Result<Self> {
        let rayon =
            ThreadPoolBuilder::new().num_threads(scale.workers()).build().map_err(io::Error::other)?;
        Ok(Setting { data: Mutex::new(data), rayon })
    }

    /// The data. The lock is never contended, as runs take turns, and a panic ends the race.
    pub fn data(&self) -> MutexGuard<'_, D> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of a run, besides what it has written.
#[derive(Debug)]
pub struct Ran {
    /// The sum of what all parts of all passes have added.
    pub total: f64,
    /// How long the passes took, if a separate program ran them and timed itself.
    pub own_time: Option<Duration>,
}

impl Ran {
    /// The result of passes that the harness has timed.
    pub fn of(total: f64) -> Ran {
        Ran { total, own_time: None }
    }

    /// Describes how the total differs from what all passes must have added.
    pub fn verify(&self, scale: &Scale, each_pass: u64) -> Result<(), String> {
        let due = each_pass as f64 * scale.passes() as f64;
        if self.total == due {
            return Ok(());
        }
        Err(format!("the parts of all passes add up to {} instead of {due}", self.total))
    }
}

/// The error of a run in which a worker has ended before its work was done. The worker has panicked; its
/// panic is propagated afterwards.
pub fn gone() -> io::Error {
    io::Error::other("a worker has gone")
}

/// The lengths of `parts` parts of a total, or of fewer, if some would be empty.
pub fn lengths(total: usize, parts: usize) -> impl Iterator<Item = usize> {
    let parts = parts.min(total);
    (0..parts).map(move |which| total / parts + usize::from(which < total % parts))
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn parts_differ_by_one_at_most_and_none_is_empty() {
        assert_eq!(lengths(10, 4).collect::<Vec<_>>(), [3, 3, 2, 2]);
        assert_eq!(lengths(2, 4).collect::<Vec<_>>(), [1, 1]);
    }
}
