//! Why a stage ends before its items do, and why a wait returns nothing.

use std::error::Error;
use std::fmt;

/// The run was stopped, or the next stage has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Why a wait returned nothing.
///
/// It is as wide as a machine word, so that a `Result` of an item and this is copied in words. With a byte
/// next to the item, the compiler copies the item in smaller parts, and the processor stalls when the item is
/// then read as a whole: a pipeline of trivial stages takes 1.2 times as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum WaitError {
    /// The run was stopped.
    Stopped,
    /// The deadline has passed, or another limit of the wait is reached.
    LimitReached,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no more items are taken: the pipeline is about to end")
    }
}

impl Error for Stopped {}

impl From<WaitError> for Stopped {
    fn from(_: WaitError) -> Self {
        Stopped
    }
}
