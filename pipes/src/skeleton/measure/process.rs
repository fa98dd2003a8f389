//! The resources that the process uses.

use std::fs;
use std::time::Duration;

/// The unit of time of `/proc`, in milliseconds, the same on all machines.
const TICK: u64 = 10;

/// The processor time and memory that the process uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Time on all processors, of all threads, since the process began.
    pub cpu: Duration,
    /// Memory that is resident now, in bytes.
    pub memory: u64,
}

impl Usage {
    /// Reads the figures from `/proc`; None where the system has none there.
    pub(in crate::skeleton) fn of_this_process() -> Option<Usage> {
        let times = fs::read_to_string("/proc/self/stat").ok()?;
        // The name, in brackets, may contain anything; the fields behind it are numbers.
        let mut fields = times.rsplit_once(')')?.1.split_whitespace().skip(11).map(str::parse::<u64>);
        let ticks = fields.next()?.ok()? + fields.next()?.ok()?;
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let memory =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB"))?;
        let memory = 1024 * memory.trim().parse::<u64>().ok()?;
        Some(Usage { cpu: Duration::from_millis(ticks * TICK), memory })
    }
}
