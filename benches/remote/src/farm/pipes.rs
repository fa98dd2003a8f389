//! The stage `remote` of a pipeline, and its workers.

use super::team::Team;
use super::work::Steps;
use super::{Farm, Outcome};
use crate::crew::Crew;
use crate::net::Net;
use crate::sides::failed;
use pipes::skeleton::from_iter;
use pipes_benches::watch::Watch;
use pipes_remote::farm::{Remote, Workers};
use std::io;
use std::time::{Duration, Instant};

/// The source of these files, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// The most time until all workers have joined.
const PATIENCE: Duration = Duration::from_secs(30);

pub fn run<N: Net>(farm: &Farm, steps: Steps, watch: &Watch) -> io::Result<Outcome> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    // An item may be under way each time that a worker is killed.
    let workers = Workers::listen(&via).map_err(failed)?.tries(u32::MAX);
    let mut arguments = farm.arguments("pipes", steps);
    arguments.push(format!("--farm={address}"));
    let mut team = Team::start(farm, Crew::new(workers, farm.workers, 1, PATIENCE), arguments)?;
    let (mut results, begun) = (Vec::new(), Instant::now());
    let pipeline = from_iter(0..farm.items()).remote(team.crew.workers(), |number| number).named("work");
    watch
        .over(pipeline.in_order())
        .for_each(|result| {
            results.push(result);
            team.disturb(results.len() as u64);
        })
        .map_err(failed)?;
    let time = begun.elapsed();
    let report = team.crew.report();
    let killed = team.end()?;
    Ok(Outcome { report: Some(report), killed, ..Outcome::new(results, time) })
}

pub fn worker<N: Net>(farm: &str, steps: Steps) -> io::Result<()> {
    let work = move |number| steps.on(number);
    pipes_remote::farm::worker::<u64, u64, _>(&N::via(farm)?, 1, work).map_err(failed)?;
    Ok(())
}
