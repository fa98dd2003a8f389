//! The memory and the processor time of this process, from `/proc`; where there is none, they are unknown.

use std::fs;
use std::time::Duration;

use pipes_benches::usage::Usage;

/// Forgets the largest memory so far.
pub fn forget_peak() {
    // What cannot be forgotten is counted: the peak is then that of all runs so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The largest resident memory since the last peak was forgotten, in MiB.
pub fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// The time on all processors since the process began, and the resident memory in MiB.
pub fn usage() -> Option<(Duration, f64)> {
    let usage = Usage::now()?;
    Some((usage.cpu, usage.memory as f64 / f64::from(1 << 20)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_peak_is_at_least_what_is_used() {
        super::forget_peak();
        let (_, memory) = super::usage().expect("there is a /proc");
        assert!(super::peak().expect("there is a /proc") >= memory / 2.0);
    }
}
