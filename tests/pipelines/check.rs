//! Compares what has happened in a run with the prediction.

use crate::case::{Case, Log};
use crate::drive::End;
use crate::item::complain;
use crate::layout::{Dealt, Segment};
use crate::model::{Role, Told};
use crate::plan::{Kind, Sink, Source, scheduled};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering::SeqCst;

/// Complains of all differences from the prediction.
pub fn check(case: &Case, end: &End) {
    let model = &case.model;
    let may_be_cut = case.plan.sink.enough().is_some();
    let is_fine = match &end.told {
        None => end.is_whole && model.ends == [Told::Fine],
        Some(told) => {
            if !(model.ends.contains(told) || may_be_cut && *told == Told::Fine) {
                complain(format!("the caller was told {told:?}, where {:?} was to be", model.ends));
            }
            end.is_whole && *told == Told::Fine
        }
    };
    let whole = is_fine && !matches!(case.plan.sink, Sink::PostedDrop);
    let is_seen = !matches!(
        case.plan.sink,
        Sink::Collect | Sink::Reduce | Sink::PostedCollect | Sink::PostedWait | Sink::PostedDrop
    );
    for segment in &model.segments {
        for dealt in &segment.dealt {
            check_dealt(case, segment, dealt, is_fine);
        }
        let is_last = segment.to == model.steps.len();
        // Results that came out before a failure are lost in these sinks, so they cannot be compared.
        if !is_last || whole || is_seen {
            check_segment(case, segment, if is_last { whole } else { is_fine });
        }
    }
    if is_fine {
        check_counts(case);
    }
}

/// The items that have entered a segment, source by source.
fn entered(case: &Case, segment: &Segment) -> Vec<Vec<u64>> {
    match segment.from {
        Some(step) => vec![case.notes[step].log.read()],
        // A thread sends them, whether they are received or not.
        None if matches!(case.plan.source, Source::Port { .. }) => case.model.roots.clone(),
        None => case.sources.iter().map(Log::read).collect(),
    }
}

/// What each entry becomes on its way to a step; less if it does not get there.
fn becomes(case: &Case, segment: &Segment, to: usize, entries: &[u64], in_order: bool) -> Vec<Vec<u64>> {
    let first = segment.from.unwrap_or(0);
    let mut groups = Vec::new();
    for entry in entries {
        let (group, dead) = case.model.expand(first..to, *entry, in_order && !segment.is_loose);
        groups.push(group);
        if dead && in_order {
            break;
        }
    }
    groups
}

fn check_segment(case: &Case, segment: &Segment, whole: bool) {
    let last = case.model.steps.len();
    let left = if segment.to == last { case.sink.read() } else { case.notes[segment.to].log.read() };
    let entered = entered(case, segment);
    let what = || format!("from {:?} to {}", segment.from, segment.to);
    if !segment.in_order {
        let groups: Vec<_> =
            entered.iter().flat_map(|some| becomes(case, segment, segment.to, some, false)).collect();
        return check_any_order(&groups.concat(), &left, whole, &what);
    }
    if entered.len() == 1 {
        let groups = becomes(case, segment, segment.to, &entered[0], true);
        return check_order(&groups, &left, segment.is_loose, whole, &what);
    }
    let mut others: BTreeSet<u64> = left.iter().copied().collect();
    for some in entered {
        let groups = becomes(case, segment, segment.to, &some, true);
        let own: BTreeSet<u64> = groups.concat().into_iter().collect();
        let part: Vec<_> = left.iter().copied().filter(|value| own.contains(value)).collect();
        part.iter().for_each(|value| _ = others.remove(value));
        check_order(&groups, &part, segment.is_loose, whole, &what);
    }
    if !others.is_empty() {
        complain(format!("{}: {} items are of no source", what(), others.len()));
    }
}

/// Complains unless `found` has the expected values, or some of them, in any order.
fn check_any_order(expected: &[u64], found: &[u64], whole: bool, what: &impl Fn() -> String) {
    let mut counts = BTreeMap::new();
    expected.iter().for_each(|value| *counts.entry(value).or_insert(0_i32) += 1);
    found.iter().for_each(|value| *counts.entry(value).or_insert(0) -= 1);
    let (lost, foreign) = (counts.values().filter(|n| **n > 0), counts.values().filter(|n| **n < 0));
    let (lost, foreign) = (lost.count(), foreign.count());
    if foreign > 0 || whole && lost > 0 {
        complain(format!("{}: {foreign} values too many, {lost} lost", what()));
    }
}

/// Complains unless `found` has the expected values, or the first of them, in this order. Within a loose
/// group the order is free.
fn check_order(groups: &[Vec<u64>], found: &[u64], is_loose: bool, whole: bool, what: &impl Fn() -> String) {
    let (expected, mut found) = (groups.concat(), found.to_vec());
    if is_loose {
        let mut start = 0;
        for group in groups {
            let end = (start + group.len()).min(found.len());
            // Sorts the values found at the group's places into the group's order; values of other groups go
            // last.
            let rank = |value: &u64| group.iter().position(|it| it == value).unwrap_or(usize::MAX);
            found[start..end].sort_by_key(rank);
            start = end;
        }
        check_any_order(&expected, &found, whole, what);
        return check_groups(groups, &found, what);
    }
    let wrong = expected.iter().zip(&found).position(|(expected, found)| expected != found);
    if let Some(at) = wrong {
        complain(format!("{}: another item than was expected is number {at}", what()));
    } else if found.len() > expected.len() || whole && found.len() < expected.len() {
        complain(format!("{}: {} items, not {}", what(), found.len(), expected.len()));
    }
}

/// Complains unless the groups come one after the other; the last one may be incomplete.
fn check_groups(groups: &[Vec<u64>], found: &[u64], what: &impl Fn() -> String) {
    let mut rest = found;
    for group in groups {
        let (these, others) = rest.split_at(group.len().min(rest.len()));
        if these.iter().any(|value| !group.contains(value)) {
            complain(format!("{}: an item out of its turn", what()));
            return;
        }
        rest = others;
    }
}

/// Checks which replica has received which item.
fn check_dealt(case: &Case, segment: &Segment, dealt: &Dealt, whole: bool) {
    let notes = &case.notes[dealt.step];
    let what = || format!("dealt at step {}", dealt.step);
    let entered = entered(case, segment);
    let known = dealt.in_order && !dealt.is_loose && entered.len() == 1;
    let groups =
        if known { becomes(case, segment, dealt.step, &entered[0], true).concat() } else { Vec::new() };
    let asked = notes.dealt.read();
    let replicas = notes.replicas.len();
    let has_scheduler = !matches!(dealt.kind, Kind::RoundRobin { .. });
    if known && has_scheduler {
        check_order(std::slice::from_ref(&groups), &asked, false, whole, &what);
    }
    let mut homes = BTreeMap::new();
    for (number, log) in notes.replicas.iter().enumerate() {
        let got = log.read();
        let own: Vec<u64> = match dealt.kind {
            Kind::Keyed { keys, .. } => {
                let keys_got: BTreeSet<_> = got.iter().map(|value| value % keys).collect();
                if keys_got.iter().any(|key| *homes.entry(*key).or_insert(number) != number) {
                    complain(format!("{}: a key has two replicas", what()));
                }
                asked.iter().copied().filter(|value| keys_got.contains(&(value % keys))).collect()
            }
            Kind::Scheduled { .. } => {
                asked.iter().copied().filter(|value| scheduled(*value) % replicas == number).collect()
            }
            _ if known => groups.iter().copied().skip(number).step_by(replicas).collect(),
            _ => continue,
        };
        check_order(&[own], &got, false, whole, &what);
    }
}

/// Checks that each step has seen each of its items once, and that the metrics agree.
fn check_counts(case: &Case) {
    for (step, notes) in case.model.steps.iter().zip(&case.notes) {
        let missed = notes.seen.values().filter(|times| times.load(SeqCst) != 1).count();
        if missed > 0 {
            complain(format!("{} has not seen {missed} of its items, or more than once", step.name));
        }
    }
    if !case.plan.measured {
        return;
    }
    let report = case.metrics.report();
    if report.items() != case.model.results.len() as u64 {
        complain(format!("{} items came out, as the metrics say", report.items()));
    }
    for step in &case.model.steps {
        let named = report.stages().iter().find(|stage| stage.name() == step.name);
        let Some(stage) = named else {
            complain(format!("the metrics do not know {}", step.name));
            continue;
        };
        // The metrics count a batch as one item.
        let is_known = !matches!(step.role, Role::Unbatch(..));
        let counts = (stage.items(), stage.replicas().len());
        if is_known && counts != (step.inputs.len() as u64, step.replicas) {
            complain(format!("the metrics say {counts:?} of {}", step.name));
        }
    }
}
