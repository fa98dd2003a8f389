//! Statistics of the workers.

use pipes::remote::Peer;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Statistics of the workers of a farm; see [`Workers::report`](super::Workers::report). It is printed as a
/// table.
#[derive(Clone, Debug, Default)]
pub struct FarmReport {
    tallies: Vec<(String, Arc<Tally>)>,
    workers: Vec<WorkerReport>,
}

/// Statistics of one worker. All sessions with the same certificate are one worker. Without certificates, all
/// those from the same machine are, and at a Unix socket all those of the same process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerReport {
    /// The certificate, address or process of the worker.
    pub peer: String,
    /// The number of its sessions, including those that have ended.
    pub sessions: u64,
    /// The number of its sessions that are open. If it is 0, the worker has gone.
    pub open: u64,
    /// The number of items that it has completed.
    pub items: u64,
    /// The number of items that were lost with one of its sessions, or took too long. They were given to
    /// other sessions.
    pub given_again: u64,
    /// The average time from sending an item to receiving its result.
    pub round_trip: Duration,
}

/// The counters of one worker. They are independent of each other.
#[derive(Debug, Default)]
pub(super) struct Tally {
    sessions: AtomicU64,
    open: AtomicU64,
    items: AtomicU64,
    given_again: AtomicU64,
    nanoseconds: AtomicU64,
    /// One more than the longest message that the worker accepts, or 0 if that is not known.
    limit: AtomicU64,
}

impl Tally {
    pub(super) fn done(&self, time: Duration) {
        self.items.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(super) fn lost(&self) {
        self.given_again.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the length of the longest message that the worker accepts, if it is known.
    pub(super) fn limit(&self) -> Option<usize> {
        self.limit.load(Ordering::Relaxed).checked_sub(1).map(|limit| limit as usize)
    }

    /// Notes that the worker has refused a message that is longer than this.
    pub(super) fn takes(&self, limit: usize) {
        self.limit.store(limit as u64 + 1, Ordering::Relaxed);
    }

    pub(super) fn opened(&self) {
        self.sessions.fetch_add(1, Ordering::Relaxed);
        self.open.fetch_add(1, Ordering::Relaxed);
    }

    fn is_there(&self) -> bool {
        self.open.load(Ordering::Relaxed) > 0
    }

    pub(super) fn ended(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the worker to which a session with this peer belongs. The port of the session does not matter.
fn worker(peer: &Peer) -> String {
    match (peer.certificate(), peer.address()) {
        (Some(certificate), _) => format!("certificate {certificate}"),
        (None, Some(address)) => address.ip().to_string(),
        (None, None) => peer.to_string(),
    }
}

impl FarmReport {
    /// Returns the tally of the worker to which this peer belongs.
    pub(super) fn tally(&mut self, peer: &Peer) -> Arc<Tally> {
        let peer = worker(peer);
        let known = self.tallies.iter().find(|(known, _)| *known == peer).map(|(_, tally)| tally.clone());
        known.unwrap_or_else(|| {
            let tally = Arc::new(Tally::default());
            self.tallies.push((peer, tally.clone()));
            tally
        })
    }

    /// Returns `true` if a worker other than this one has open sessions.
    pub(super) fn has_another(&self, worker: &Arc<Tally>) -> bool {
        let is_another = |tally: &Arc<Tally>| !Arc::ptr_eq(tally, worker) && tally.is_there();
        self.tallies.iter().any(|(_, tally)| is_another(tally))
    }

    /// Reads the counters.
    pub(super) fn settle(&mut self) {
        let workers = self.tallies.drain(..).map(|(peer, tally)| {
            let items = tally.items.load(Ordering::Relaxed);
            WorkerReport {
                peer,
                sessions: tally.sessions.load(Ordering::Relaxed),
                open: tally.open.load(Ordering::Relaxed),
                items,
                given_again: tally.given_again.load(Ordering::Relaxed),
                round_trip: Duration::from_nanos(tally.nanoseconds.load(Ordering::Relaxed) / items.max(1)),
            }
        });
        self.workers = workers.collect();
    }

    /// Returns the workers in the order in which they connected first.
    pub fn workers(&self) -> &[WorkerReport] {
        &self.workers
    }

    /// Returns the number of items that all workers have completed.
    pub fn items(&self) -> u64 {
        self.workers.iter().map(|worker| worker.items).sum()
    }

    /// Returns how often an item was lost with a session or took too long.
    pub fn given_again(&self) -> u64 {
        self.workers.iter().map(|worker| worker.given_again).sum()
    }
}

impl fmt::Display for FarmReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.workers.iter().map(|worker| worker.peer.len()).max().unwrap_or(0).max("worker".len());
        writeln!(f, "{:name$}  sessions  open     items  again  round trip", "worker")?;
        for worker in &self.workers {
            let WorkerReport { peer, sessions, open, items, given_again, round_trip } = worker;
            let round_trip = format!("{round_trip:.1?}");
            writeln!(
                f,
                "{peer:name$}  {sessions:8}  {open:4}  {items:8}  {given_again:5}  {round_trip:>10}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::worker;
    use pipes::remote::Peer;

    #[test]
    fn sessions_of_one_worker() {
        let at = |address: &str| Peer::at(address.parse().expect("it is an address"));
        for (peer, name) in [
            (at("192.0.2.7:40123"), "192.0.2.7"),
            (at("[2001:db8::1]:40123"), "2001:db8::1"),
            (Peer::local(7, Some(12)), "process 12, user 7"),
        ] {
            assert_eq!(worker(&peer), name);
        }
        let certified = at("192.0.2.7:40123").with_certificate([1; 32].into());
        assert_eq!(worker(&certified), format!("certificate {}", "01".repeat(32)));
    }
}
