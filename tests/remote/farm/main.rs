//! Farms whose workers are other programs: that each item has one result, whatever happens to workers, and
//! that workers end, whatever happens to the farm.

mod attacks;
mod counts;
mod ends;
mod killed;
mod liars;
mod moments;
mod places;
mod protocol;
mod random;
mod rounds;
mod secure;
mod sizes;
mod slow;

use pipes_remote::Via;
use pipes_remote::engine::{Engine, Memory};
use pipes_remote::farm::{WorkerError, Workers, try_worker, worker};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longer than anything takes.
pub const LONG: Duration = Duration::from_secs(50);

/// A farm inside of this program.
pub fn farm() -> (Via<Memory>, Workers<u64, String>) {
    let via = pipes_remote::memory();
    let workers = Workers::listen(&via).expect("it is free");
    (via, workers)
}

/// What a worker makes of a number.
pub fn words(number: u64) -> String {
    format!("number {number}")
}

/// A worker in a thread. If it comes when all is over, it has done nothing.
pub fn start<E: Engine>(via: &Via<E>, replicas: usize) -> JoinHandle<Result<u64, WorkerError>> {
    let via = via.clone();
    thread::spawn(move || match worker(&via, replicas, words) {
        Err(WorkerError::Connect(_)) => Ok(0),
        other => other,
    })
}

/// A worker that fails at this number.
pub fn start_failing(via: &Via<Memory>, bad: u64) -> JoinHandle<Result<u64, WorkerError>> {
    let via = via.clone();
    thread::spawn(move || {
        try_worker(
            &via,
            2,
            move |number: u64| {
                if number == bad { Err("it is bad") } else { Ok(words(number)) }
            },
        )
    })
}
