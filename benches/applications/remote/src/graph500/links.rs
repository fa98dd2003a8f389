//! What is known of the sessions with the other processes.

use super::driver::Driver;
use futures::future::join_all;
use pipes::remote::{Cause, Link};
use pipes_graph500::workers::{Gone, Wait};
use std::io;
use std::time::Duration;
use tokio::time::timeout;

/// The sessions with the other processes, by rank.
#[derive(Debug, Default)]
pub struct Links(Vec<(usize, Link)>);

impl Links {
    /// Adds a session.
    pub fn add(&mut self, rank: usize, link: Link) {
        self.0.push((rank, link));
    }

    /// Says who has gone, and why.
    pub fn told(&self, driver: &Driver, gone: Gone) -> io::Error {
        // One that was lost makes all others leave. The one that is meant is the one that was lost.
        for _ in 0..64 {
            driver.pass();
        }
        let ended = |is_lost: bool| {
            self.0.iter().find_map(|(rank, link)| match link.cause() {
                Cause::Broken(error) => Some(format!("worker {rank} is lost: {error}")),
                Cause::Silent(time) => Some(format!("worker {rank} is lost: nothing was heard for {time:?}")),
                Cause::Fault(fault) => Some(format!("worker {rank} is not understood: {fault}")),
                Cause::Left | Cause::Ended if !is_lost => Some(format!("worker {rank} has left")),
                _ => None,
            })
        };
        match ended(true).or_else(|| ended(false)) {
            Some(sentence) if gone == Gone::Left => io::Error::other(sentence),
            _ => gone.into(),
        }
    }

    /// Waits until the last messages are confirmed, before the process ends.
    pub fn drain(&self, driver: &Driver, time: Duration) {
        driver.run(async {
            // One that is lost hears nothing, and one that does not answer is not waited for.
            let _ = timeout(time, join_all(self.0.iter().map(|(_, link)| link.delivered_async()))).await;
        });
    }
}
