//! The errors of farms and workers.

use crate::error::ConnectError;
use pipes::remote::Cause;
use pipes::remote::Fault;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Why a stage with remote workers has failed. It is the error in the pipeline's
/// [`Failure`](pipes_skeleton::Failure), which names the stage.
///
/// Items are numbered from 0, in the order in which they come to the stage.
#[derive(Debug)]
#[non_exhaustive]
pub enum FarmError {
    /// The work on this item has failed, as its worker reports.
    Failed {
        /// The number of the item.
        item: u64,
        /// The text of the worker's error.
        text: String,
    },
    /// The item was lost with each worker that had it.
    Lost {
        /// The number of the item.
        item: u64,
        /// How often it was lost.
        tries: u32,
        /// Why it was lost the last time.
        cause: Cause,
    },
    /// Each time the item was sent, it was lost or took longer than the
    /// [timeout](super::Workers::timeout). The last time, it took too long.
    TimedOut {
        /// The number of the item.
        item: u64,
        /// How often it was sent.
        tries: u32,
        /// The timeout.
        timeout: Duration,
    },
    /// Items waited for a worker, and there was none for this long.
    NoWorker {
        /// The time.
        patience: Duration,
    },
    /// The farm was closed, and items waited for a worker when there was none left.
    Closed,
    /// The item cannot be sent: it cannot be encoded, or is too long for the worker that was to have it.
    Unencodable {
        /// The number of the item.
        item: u64,
        /// Why.
        fault: Fault,
    },
}

/// Why a worker has ended before its farm said that there is nothing more to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkerError {
    /// The farm cannot be reached, or refuses a session.
    Connect(ConnectError),
    /// All sessions were lost.
    Lost {
        /// Why the last session was lost.
        cause: Cause,
    },
}

impl fmt::Display for FarmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FarmError::Failed { item, text } => write!(f, "the work on item {item} has failed: {text}"),
            FarmError::Lost { item, tries, cause } => {
                write!(f, "item {item} was lost with {tries} workers; the last time, {cause}")
            }
            FarmError::TimedOut { item, tries, timeout } => {
                write!(
                    f,
                    "item {item} was given up after {tries} tries; the last worker took longer than {timeout:?}"
                )
            }
            FarmError::NoWorker { patience } => write!(f, "there was no worker for {patience:?}"),
            FarmError::Closed => f.write_str("the farm is closed, and items wait for a worker"),
            FarmError::Unencodable { item, fault } => write!(f, "item {item} cannot be sent: {fault}"),
        }
    }
}

impl Error for FarmError {}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerError::Connect(error) => error.fmt(f),
            WorkerError::Lost { cause } => write!(f, "the farm is lost: {cause}"),
        }
    }
}

impl Error for WorkerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WorkerError::Connect(error) => error.source(),
            WorkerError::Lost { .. } => None,
        }
    }
}

impl From<ConnectError> for WorkerError {
    fn from(error: ConnectError) -> Self {
        WorkerError::Connect(error)
    }
}
