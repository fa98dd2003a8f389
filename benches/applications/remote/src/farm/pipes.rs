//! The stage `remote` of a pipeline, and its workers, which get items alone or in lists.

use super::team::Team;
use super::work::Steps;
use super::{Farm, Outcome};
use crate::crew::Crew;
use crate::net::Net;
use crate::sides::failed;
use pipes_benches::watch::Watch;
use pipes_remote::farm::{PipelineExt, Workers};
use pipes_skeleton::{Batching, Pipeline, from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::time::{Duration, Instant};

/// The source of these files, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// The contender whose workers get items in lists.
pub const LISTS: &str = "pipes-lists";
/// How many items are in a list.
const LIST: usize = 16;

/// The most time until all workers have joined.
const PATIENCE: Duration = Duration::from_secs(30);

/// Each item alone.
pub fn run<N: Net>(farm: &Farm, steps: Steps, watch: &Watch) -> io::Result<Outcome> {
    work::<N, u64>(
        farm,
        farm.arguments("pipes", steps),
        |items, workers| watch.over(items.remote(workers, |number| number).named("work").in_order()),
        |results, result| results.push(result),
    )
}

/// The items in lists.
pub fn run_lists<N: Net>(farm: &Farm, steps: Steps) -> io::Result<Outcome> {
    work::<N, Vec<u64>>(
        farm,
        farm.arguments(LISTS, steps),
        |items, workers| items.batched(&Batching::of(LIST)).remote(workers, |list| list).in_order(),
        |results, list| results.extend(list),
    )
}

/// Runs a pipeline with workers in processes, and collects the results. `T` is what is sent at once.
fn work<N: Net, T: Serialize + DeserializeOwned + Send + 'static>(
    farm: &Farm,
    arguments: Vec<String>,
    pipeline: impl FnOnce(Pipeline<u64>, &Workers<T, T>) -> Pipeline<T>,
    collect: impl Fn(&mut Vec<u64>, T),
) -> io::Result<Outcome> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    // An item may be under way each time that a worker is killed.
    let workers = Workers::listen(&via).map_err(failed)?.tries(u32::MAX);
    let arguments = arguments.into_iter().chain([format!("--farm={address}")]).collect();
    let mut team = Team::start(farm, Crew::new(workers, farm.workers, 1, PATIENCE), arguments)?;
    let (mut results, begun) = (Vec::new(), Instant::now());
    pipeline(from_iter(0..farm.items()), team.crew.workers())
        .for_each(|result| {
            collect(&mut results, result);
            team.disturb(results.len() as u64);
        })
        .map_err(failed)?;
    let time = begun.elapsed();
    let report = team.crew.report();
    let killed = team.end()?;
    Ok(Outcome { report: Some(report), killed, ..Outcome::new(results, time) })
}

/// A worker of this contender.
pub fn worker<N: Net>(contender: &str, farm: &str, steps: Steps) -> io::Result<()> {
    let via = N::via(farm)?;
    let worked = if contender == LISTS {
        let each = move |list: Vec<u64>| list.into_iter().map(|number| steps.on(number)).collect::<Vec<_>>();
        pipes_remote::farm::worker(&via, 1, each)
    } else {
        pipes_remote::farm::worker(&via, 1, move |number: u64| steps.on(number))
    };
    worked.map(drop).map_err(failed)
}
