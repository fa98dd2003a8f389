//! The processor time and memory that this process uses.

use std::fmt;
use std::fs;
use std::time::Duration;

/// The unit of time of `/proc`, in milliseconds, the same on all machines.
const TICK: u64 = 10;

/// The processor time and memory that this process uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Time on all processors, of all threads, and of child processes that have ended, since the process
    /// began.
    pub cpu: Duration,
    /// Memory that is resident now, in bytes.
    pub memory: u64,
}

impl Usage {
    /// Reads the figures from `/proc`. Returns `None` if the system has none there.
    pub fn now() -> Option<Usage> {
        let times = fs::read_to_string("/proc/self/stat").ok()?;
        // The name, in brackets, may contain anything; the fields behind it are numbers.
        let mut fields = times.rsplit_once(')')?.1.split_whitespace().skip(11).map(str::parse::<u64>);
        // In the process and in the system, and the same of the children.
        let ticks: u64 = fields.by_ref().take(4).collect::<Result<Vec<_>, _>>().ok()?.iter().sum();
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let memory =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB"))?;
        let memory = 1024 * memory.trim().parse::<u64>().ok()?;
        Some(Usage { cpu: Duration::from_millis(ticks * TICK), memory })
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process: {:.1?} of processor, {} MB", self.cpu, self.memory >> 20)
    }
}

#[cfg(test)]
mod tests {
    use super::Usage;
    use std::path::Path;

    #[test]
    fn there_are_figures_where_there_is_a_proc() {
        let usage = Usage::now();
        assert_eq!(usage.is_some(), Path::new("/proc/self/stat").exists());
        assert!(usage.is_none_or(|usage| usage.memory > 100_000));
    }
}
