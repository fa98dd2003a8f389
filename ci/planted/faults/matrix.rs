//! All groups against all faults.

use crate::fault::Fault;
use crate::group::Group;
use crate::record::{self, Caught, Record};
use crate::run::{self, Outcome};
use crate::{Places, Result};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many reports of a fault are enough for the record.
const ENOUGH: usize = 30;
/// So few reports must be confirmed: a test may have failed for another reason.
const FEW: usize = 3;
/// A group that takes longer is slow.
const SLOW: Duration = Duration::from_secs(2);

/// Groups that report a fault, and how each did.
type Reports<'a> = Vec<(&'a Group, Outcome)>;

/// Runs the groups with each fault. With `all`, it looks for enough reports and writes the record; what the
/// record has already is not run again. Otherwise it stops at the first report. Returns `true` if each fault
/// was reported.
pub fn run(places: &Places, faults: &[Fault], groups: &[Group], all: bool, text: &str) -> Result<bool> {
    let mut record = record::read(&places.record)?;
    let mut missed = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        let hash = fault.hash();
        let is_known = record.get(&fault.name).is_some_and(|caught| caught.hash == hash);
        if !fault.name.contains(text) && !fault.file.contains(text) || all && is_known {
            continue;
        }
        let begin = Instant::now();
        let able = groups.iter().filter(|group| group.executes.contains(&number)).collect();
        let reports = if all { many(able, &fault.name)? } else { one(able, &fault.name, &record)? };
        let first = reports.first().map_or("NOTHING".to_owned(), |(it, _)| it.name());
        let seconds = begin.elapsed().as_secs();
        println!("{:<56} {seconds:>3} s, {:>2} reports: {first}", fault.name, reports.len());
        if reports.is_empty() {
            missed.push(fault.name.as_str());
        }
        if all {
            let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (group, outcome) in reports {
                let mark = if outcome == Outcome::TookTooLong { "*" } else { "" };
                by.entry(group.target.clone()).or_default().push(format!("{}{mark}", group.module));
            }
            by.values_mut().for_each(|modules| modules.sort());
            record.insert(fault.name.clone(), Caught { hash, by });
            record::write(&places.record, &record)?;
        }
    }
    if all && text.is_empty() {
        record.retain(|name, _| faults.iter().any(|fault| fault.name == *name));
        record::write(&places.record, &record)?;
    }
    println!("planted: nothing reports {} faults {missed:?}", missed.len());
    Ok(missed.is_empty())
}

/// Enough reports. The targets take turns, each with its shortest groups first. Few reports are confirmed by
/// a second run.
fn many<'a>(mut able: Vec<&'a Group>, fault: &str) -> Result<Reports<'a>> {
    able.sort_by_key(|group| group.time);
    let (mut turns, mut seen) = (Vec::new(), BTreeMap::new());
    for group in able {
        let turn: &mut usize = seen.entry(&group.target).or_default();
        turns.push((*turn, group));
        *turn += 1;
    }
    turns.sort_by_key(|(turn, _)| *turn);
    let (slow, quick): (Vec<_>, Vec<_>) =
        turns.into_iter().map(|(_, group)| group).partition(|group| group.time > SLOW);
    let mut reports = together(&quick, fault, ENOUGH)?;
    if reports.is_empty() {
        reports.extend(together(&slow, fault, ENOUGH)?);
    }
    if reports.len() > FEW {
        return Ok(reports);
    }
    let again: Vec<&Group> = reports.iter().map(|(group, _)| *group).collect();
    together(&again, fault, ENOUGH)
}

/// One report. Groups that reported this fault before come first, then those that reported most others; of
/// these the shortest.
fn one<'a>(mut able: Vec<&'a Group>, fault: &str, record: &Record) -> Result<Reports<'a>> {
    able.sort_by_key(|group| {
        let reports = |caught: &&Caught| caught.has(&group.target, &group.module);
        let before = record.get(fault).as_ref().is_some_and(reports);
        (!before, Reverse(record.values().filter(reports).count()), group.time)
    });
    together(&able, fault, 1)
}

/// Runs groups with a fault, several at a time, until there are enough reports.
pub fn together<'a>(groups: &[&'a Group], fault: &str, enough: usize) -> Result<Reports<'a>> {
    let next = AtomicUsize::new(0);
    let reports: Mutex<Result<Reports<'a>>> = Mutex::new(Ok(Vec::new()));
    let lock = || reports.lock().expect("no thread panics");
    let work = || {
        while lock().as_ref().is_ok_and(|reports| reports.len() < enough)
            && let Some(&group) = groups.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let outcome = run::run(group, fault);
            let mut reports = lock();
            match (outcome, reports.as_mut()) {
                (Ok((Outcome::Passed, _)), _) | (_, Err(_)) => {}
                (Ok((outcome, _)), Ok(reports)) => reports.push((group, outcome)),
                (Err(error), _) => *reports = Err(error),
            }
        }
    };
    // Two for each core, because tests wait for each other.
    let count = 2 * thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..count).for_each(|_| drop(scope.spawn(work))));
    reports.into_inner().expect("no thread panics")
}
