//! Farms whose workers are other programs: that each item has one result, whatever happens to workers, and
//! that workers end, whatever happens to the farm.

mod ends;
mod killed;
mod lost;
mod payloads;
mod pipelines;
mod protocol;
mod random;
mod sessions;
mod slow;

use pipes_remote::Via;
use pipes_remote::engine::{Engine, Memory};
use pipes_remote::farm::{PipelineExt, WorkerError, Workers, worker};
use pipes_remote_tests::children::role;
use pipes_skeleton::from_iter;
use pipes_tests::spin_while;
use protocol::work;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Only for other processes; a run without a role has nothing to do.
#[test]
fn as_another_process() {
    let Some((role, place)) = role() else { return };
    match role.as_str() {
        "works" => killed::works_at(&place),
        "keeps" => killed::keeps(&place),
        "briefly" => killed::works_briefly(&place),
        "farms" => killed::farms(),
        _ => panic!("an unknown role: {role}"),
    }
}

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

/// What items and results can do.
pub trait Travels: Serialize + DeserializeOwned + Send + 'static {}

impl<T: Serialize + DeserializeOwned + Send + 'static> Travels for T {}

/// A worker by hand, which waits for an item.
pub type Session = work::Client<work::Idle<u64, String>>;

/// A worker by hand.
pub fn join<E: Engine>(via: &Via<E>) -> Session {
    work::connect(via).expect("it listens")
}

/// Takes the next item, which has this number, and keeps it.
pub fn take(session: Session, number: u64) -> work::Client<work::Busy<u64, String>> {
    let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
    assert_eq!(item.into_inner(), number);
    busy
}

/// Waits until the farm has had this many sessions.
pub fn joined<T: Travels, U: Travels>(farm: &Workers<T, U>, sessions: u64) {
    spin_while(|| farm.report().workers().iter().map(|worker| worker.sessions).sum::<u64>() < sessions);
}

/// Asserts that the farm makes words of these numbers.
#[track_caller]
pub fn works(farm: &Workers<u64, String>, numbers: Range<u64>) {
    let results = from_iter(numbers.clone()).remote(farm, |number| number).in_order().collect();
    assert!(results.expect("there is a worker").into_iter().eq(numbers.map(words)));
}

/// The end of a farm: all workers know of it. Returns how many items they have done.
#[track_caller]
pub fn end<T: Travels, U: Travels>(
    farm: Workers<T, U>,
    workers: impl IntoIterator<Item = JoinHandle<Result<u64, WorkerError>>>,
) -> u64 {
    assert!(farm.finish(LONG), "all of them know");
    let workers = workers.into_iter();
    workers.map(|worker| worker.join().expect("it does not panic").expect("it is the end")).sum()
}
