//! Counts what was drawn: each kind of source, stage, sink, fault and ending must occur.

use crate::drive::End;
use crate::plan::{Kind, Plan, Source};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Default, Debug)]
pub struct Variety(BTreeMap<String, usize>);

/// The first word of the `Debug` output.
fn word(of: &impl Debug) -> String {
    let text = format!("{of:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

impl Variety {
    pub fn note(&mut self, plan: &Plan, end: &End) {
        let mut add = |what: String| *self.0.entry(what).or_insert(0) += 1;
        add(format!("from {}", word(&plan.source)));
        if plan.source.is_quiet() {
            add("from Quiet".to_owned());
        }
        if let Source::Merge(parts) = &plan.source
            && parts.iter().any(|part| part.replicas > 0)
        {
            add("from Farms".to_owned());
        }
        for node in &plan.nodes {
            add(format!("by {}", word(&node.kind)));
            if let Kind::Serial(work) | Kind::Farm { work, .. } = node.kind {
                add(format!("by {} {work:?}", word(&node.kind)));
            }
        }
        add(format!("to {}", word(&plan.sink)));
        add(plan.fault.as_ref().map_or("fault None".to_owned(), |fault| format!("fault {}", word(fault))));
        add(format!("end {}", end.told.as_ref().map_or("Untold".to_owned(), word)));
        if plan.sink.enough().is_some() && !end.is_whole {
            add("end Enough".to_owned());
        }
    }

    /// Asserts that every kind has occurred.
    pub fn assert_all(&self) {
        let sources = ["Iter", "TryIter", "Fn", "Port", "Quiet", "Merge", "Farms", "Posted"];
        let stages =
            "Serial Farm Keyed RoundRobin Scheduled Nested Feedback Concurrent Gather Batch".split(' ');
        let works = ["Map", "Try", "Inspect", "Filter", "FilterMap", "FlatMap"];
        let works = ["Serial", "Farm"].iter().flat_map(|stage| works.map(|work| format!("{stage} {work}")));
        let sinks = "Collect ForEach Fold Reduce Iter Port PostedCollect PostedWait PostedDrop".split(' ');
        let faults =
            "None Panic Error Schedule Source SourceError Sink Cancel PostedCancel Bomb Pending".split(' ');
        let ends = ["Fine", "Panic", "Error", "Cancelled", "Untold", "Enough"];
        let wanted = (sources.iter().map(|it| format!("from {it}")))
            .chain(stages.map(|it| format!("by {it}")))
            .chain(works.map(|it| format!("by {it}")))
            .chain(sinks.map(|it| format!("to {it}")))
            .chain(faults.map(|it| format!("fault {it}")))
            .chain(ends.iter().map(|it| format!("end {it}")));
        for what in wanted {
            assert!(self.0.contains_key(&what), "no pipeline has '{what}': {:?}", self.0);
        }
    }
}
