//! Builds the real pipeline from a description.

use crate::case::Case;
use crate::item::Item;
use crate::plan::{Kind, Node, Part, Source};
use crate::stages::{self, Holder, Worker};
use pipes::Port;
use pipes_skeleton::{Pipeline, from_fn, from_iter, from_port, merge, try_from_iter};
use std::sync::Arc;

/// The items of a source, or of one of several merged sources.
fn pulled(case: &Arc<Case>, part: usize, count: usize) -> impl Iterator<Item = Item> + Send + use<> {
    let case = case.clone();
    (0..count).map(move |number| case.pull(part, number).expect("it is said elsewhere that it fails"))
}

/// The source. One for posting by hand is not made here, and the port of a port source is given.
pub fn source(case: &Arc<Case>, port: Option<Port<Item>>) -> Pipeline<Item> {
    match &case.plan.source {
        Source::Iter(count) => from_iter(pulled(case, 0, *count)),
        Source::TryIter(count) => {
            let puller = case.clone();
            try_from_iter((0..*count).map(move |number| puller.pull(0, number)))
        }
        Source::Fn(count) => {
            let mut items = pulled(case, 0, *count);
            from_fn(move || items.next())
        }
        Source::Port { .. } => from_port(port.expect("it is given")),
        Source::Merge(parts) => {
            let mut step = 0;
            let sources = (0..).zip(parts).map(|(number, part)| {
                let source = merged(case, number, part, step);
                step += usize::from(part.replicas > 0);
                source
            });
            merge(sources)
        }
        Source::Posted(_) => unreachable!("it is posted to"),
    }
}

fn merged(case: &Arc<Case>, number: usize, part: &Part, step: usize) -> Pipeline<Item> {
    let source = from_iter(pulled(case, number, part.items));
    if part.replicas == 0 {
        return source;
    }
    let farm = stages::farm(source, crate::plan::Work::Map, part.replicas, Worker::new(case, step));
    let farm = farm.named(format!("s{step}"));
    if part.in_order { farm.in_order() } else { farm }
}

/// Adds all stages behind the source.
pub fn stages(case: &Arc<Case>, source: Pipeline<Item>) -> Pipeline<Item> {
    let plan = &case.plan;
    let mut step = match &plan.source {
        Source::Merge(parts) => parts.iter().filter(|part| part.replicas > 0).count(),
        _ => 0,
    };
    let mut items = source;
    for node in &plan.nodes {
        items = stage(case, items, node, step);
        step += if let Kind::Nested { stages, .. } = &node.kind { stages.len() } else { 1 };
    }
    if plan.in_order {
        items = items.in_order();
    }
    if let Some(limit) = plan.in_flight {
        items = items.in_flight(limit);
    }
    if plan.measured {
        items = items.measured(&case.metrics);
    }
    items.cancelled_by(&case.cancel)
}

fn stage(case: &Arc<Case>, mut items: Pipeline<Item>, node: &Node, step: usize) -> Pipeline<Item> {
    let is_ordered = matches!(node.kind, Kind::Serial(crate::plan::Work::Map));
    if node.in_order && !is_ordered {
        items = items.in_order();
    }
    let worker = Worker::new(case, step);
    let name = worker.name();
    let stage = match &node.kind {
        Kind::Serial(_) if is_ordered && node.in_order => stages::ordered(items, worker),
        Kind::Serial(work) => stages::serial(items, *work, worker),
        Kind::Farm { replicas, work } => stages::farm(items, *work, *replicas, worker),
        Kind::Keyed { replicas, keys } => stages::keyed(items, *replicas, *keys, worker),
        Kind::RoundRobin { replicas } => stages::round_robin(items, *replicas, worker),
        Kind::Scheduled { replicas } => stages::scheduled(items, *replicas, worker),
        Kind::Nested { replicas, stages: parts } => {
            let workers: Vec<_> =
                (step..).zip(parts).map(|(step, part)| (Worker::new(case, step), part)).collect();
            return items.farm(*replicas, |share| {
                workers.iter().fold(share, |share, (worker, (inner, work))| {
                    let share = match inner {
                        0 => stages::serial(share, *work, worker.clone()),
                        inner => stages::farm(share, *work, *inner, worker.pattern()),
                    };
                    share.named(worker.name())
                })
            });
        }
        Kind::Feedback { replicas, work } => return stages::feedback(items, *replicas, *work, worker),
        Kind::Concurrent { at_a_time } => stages::concurrent(items, *at_a_time, worker),
        Kind::Gather { size } => items.gather(Holder { worker, size: *size, kept: Vec::new() }),
        Kind::Batch { size, aged } => stages::batch(items, *size, *aged, worker),
    };
    stage.named(name)
}
