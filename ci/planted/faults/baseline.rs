//! The tests without a fault.

use crate::fault::Fault;
use crate::group::Group;
use crate::matrix::together;
use crate::run::{Outcome, run};
use crate::{Places, Result};
use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Without a fault, the tests note which faults they execute.
const NOTE: &str = "note";

/// Runs the groups without a fault, and returns them with their times and what they execute, without the
/// tests that fail. If the tests were not built since this was done, it is not done again.
pub fn passing(places: &Places, faults: &[Fault], mut groups: Vec<Group>) -> Result<Vec<Group>> {
    println!("planted: {} faults, {} groups", faults.len(), groups.len());
    let time = |path: &Path| path.metadata().and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    if groups.iter().all(|group| time(&group.binary) < time(&places.passing)) {
        return Ok(serde_json::from_str(&fs::read_to_string(&places.passing)?)?);
    }
    for group in &mut groups {
        fs::write(&places.executed, "")?;
        while !group.tests.is_empty() {
            let (outcome, time) = run(group, NOTE)?;
            if outcome == Outcome::Passed {
                group.time = time;
                break;
            }
            leave_out(group, &outcome);
        }
        for line in fs::read_to_string(&places.executed)?.lines() {
            group.executes.insert(line.parse()?);
        }
    }
    groups.retain(|group| !group.tests.is_empty());
    // A group that executes no fault is not needed.
    let busy: Vec<&Group> = groups.iter().filter(|group| !group.executes.is_empty()).collect();
    let failed = together(&busy, "none", usize::MAX)?;
    let failed: Vec<_> = failed.into_iter().map(|(group, outcome)| (group.name(), outcome)).collect();
    for (name, outcome) in &failed {
        groups.iter_mut().filter(|group| group.name() == *name).for_each(|group| leave_out(group, outcome));
    }
    groups.retain(|group| !group.tests.is_empty());
    let time: f32 = groups.iter().map(|group| group.time.as_secs_f32()).sum();
    println!("planted: without a fault, all groups take {time:.0} s");
    let mut slowest: Vec<&Group> = groups.iter().collect();
    slowest.sort_by_key(|group| Reverse(group.time));
    for group in slowest.iter().take(8) {
        println!("    {:.1} s {} {}", group.time.as_secs_f32(), group.target, group.module);
    }
    for (number, fault) in faults.iter().enumerate() {
        if !groups.iter().any(|group| group.executes.contains(&number)) {
            println!("planted: no test executes {}", fault.name);
        }
    }
    fs::write(&places.passing, serde_json::to_string(&groups)?)?;
    Ok(groups)
}

/// Removes the test that failed without a fault, or all tests of the group if that is not known.
fn leave_out(group: &mut Group, outcome: &Outcome) {
    let failed = if let Outcome::Failed(test) = outcome { test.as_ref() } else { None };
    println!("planted: without a fault, {} fails ({})", group.name(), failed.map_or("all", String::as_str));
    group.tests.retain(|test| failed.is_some_and(|failed| failed != test));
}
