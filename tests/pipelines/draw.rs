//! Draws random pipelines.

use crate::model::{Model, Role};
use crate::plan::{Fault, Kind, Node, Part, Plan, Sink, Source, Work};
use pipes_tests::Rng;

/// Miri is slow, so under it all numbers are small.
const SCALE: usize = if cfg!(miri) { 20 } else { 1 };

/// A pipeline with more work than this is drawn again.
const MOST: usize = 3000 / SCALE;

const WORKS: [Work; 6] = [Work::Map, Work::Try, Work::Inspect, Work::Filter, Work::FilterMap, Work::FlatMap];

/// The pipeline of a seed, and its model.
pub fn draw(seed: u64) -> (Plan, Model) {
    let mut lot = Lot(Rng::with_seed(seed));
    loop {
        let mut plan = lot.plan();
        let model = Model::new(&plan);
        if model.size() > MOST {
            continue;
        }
        lot.go_wrong(&mut plan, &model);
        let model = Model::new(&plan);
        return (plan, model);
    }
}

struct Lot(Rng);

impl Lot {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    /// Returns `true` once in `times` times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn items(&mut self) -> usize {
        match self.below(10) {
            0 => self.below(3),
            1..6 => 1 + self.below(10),
            6..9 => 1 + self.below(60 / SCALE),
            _ => 100 / SCALE + self.below(100 / SCALE + 1),
        }
    }

    /// A limit, narrow in most cases.
    fn places(&mut self) -> Option<usize> {
        match self.below(6) {
            0 | 1 => None,
            2 => Some(1),
            3 | 4 => Some(2 + self.below(3)),
            _ => Some(5 + self.below(60)),
        }
    }

    fn replicas(&mut self) -> usize {
        1 + self.below(4)
    }

    fn plan(&mut self) -> Plan {
        let source = self.source();
        let stages = self.below(5);
        let mut plan = Plan {
            nodes: (0..stages).map(|_| self.node()).collect(),
            in_flight: self.places().map(|places| places * (1 + self.below(6))),
            in_order: !self.once_in(3),
            sink: self.sink(&source),
            source,
            fault: None,
            measured: self.once_in(5),
        };
        // Without this, asking for order where the items are in order would set the order of the next farm.
        let mut is_region = false;
        for node in &mut plan.nodes {
            node.in_order &= is_region || matches!(node.kind, Kind::Serial(_));
            is_region = match node.kind {
                Kind::Serial(_) => is_region && !node.in_order,
                Kind::Gather { .. } | Kind::Batch { .. } => false,
                _ => true,
            };
        }
        plan.in_order &= is_region;
        plan
    }

    fn source(&mut self) -> Source {
        match self.below(8) {
            0..3 => Source::Iter(self.items()),
            3 => Source::TryIter(self.items()),
            4 => Source::Fn(self.items()),
            5 => Source::Port { items: self.items(), quiet: false },
            6 => Source::Posted(self.items()),
            _ => {
                let parts = 1 + self.below(3);
                Source::Merge((0..parts).map(|_| self.part()).collect())
            }
        }
    }

    fn part(&mut self) -> Part {
        let replicas = if self.once_in(3) { self.replicas() } else { 0 };
        Part { items: self.items() / 2, replicas, in_order: self.once_in(2) }
    }

    fn sink(&mut self, source: &Source) -> Sink {
        if matches!(source, Source::Posted(_)) {
            return match self.below(4) {
                0 => Sink::PostedWait,
                1 => Sink::PostedDrop,
                _ => Sink::PostedCollect,
            };
        }
        let enough = if self.once_in(3) { Some(self.items() / 2) } else { None };
        match self.below(8) {
            0 => Sink::Collect,
            1..3 => Sink::ForEach,
            3 => Sink::Fold,
            4 => Sink::Reduce,
            5 => Sink::Port { enough },
            _ => Sink::Iter { enough },
        }
    }

    fn node(&mut self) -> Node {
        Node { in_order: self.once_in(2), kind: self.kind() }
    }

    fn kind(&mut self) -> Kind {
        let work = self.one_of(&WORKS);
        match self.below(14) {
            0..3 => Kind::Serial(work),
            3..6 => Kind::Farm { replicas: self.replicas(), work },
            6 => Kind::Keyed { replicas: self.replicas(), keys: 1 + self.below(6) as u64 },
            7 => Kind::RoundRobin { replicas: self.replicas() },
            8 => Kind::Scheduled { replicas: self.replicas() },
            9 => {
                let count = 1 + self.below(2);
                let stages = (0..count).map(|_| (self.below(3), self.one_of(&WORKS))).collect();
                Kind::Nested { replicas: 1 + self.below(3), stages }
            }
            10 => {
                let work = if self.once_in(3) { Work::FlatMap } else { Work::Map };
                Kind::Feedback { replicas: self.replicas(), work }
            }
            11 => Kind::Concurrent { at_a_time: self.replicas() },
            12 => Kind::Gather { size: self.replicas() },
            _ => Kind::Batch { size: self.replicas(), aged: self.once_in(4) },
        }
    }

    /// Plans a fault, or none.
    fn go_wrong(&mut self, plan: &mut Plan, model: &Model) {
        if self.once_in(3) {
            return;
        }
        plan.fault = match self.below(4) {
            0 => self.at_the_ends(plan, model),
            _ => self.at_a_step(plan, model),
        };
        // The pipeline must end by itself, unless the fault is sure to end it.
        let holds_back = |node: &Node| matches!(node.kind, Kind::Gather { .. } | Kind::Batch { .. });
        let is_sure = matches!(
            plan.fault,
            Some(
                Fault::Panic { .. }
                    | Fault::Error { .. }
                    | Fault::Schedule { .. }
                    | Fault::Cancel { .. }
                    | Fault::Pending { .. }
            )
        );
        if let Source::Port { quiet, .. } = &mut plan.source {
            *quiet = is_sure && plan.sink.enough().is_none() && !plan.nodes.iter().any(holds_back);
        }
    }

    /// A fault at the source or the sink.
    fn at_the_ends(&mut self, plan: &Plan, model: &Model) -> Option<Fault> {
        let (items, results) = (plan.source.counts()[0], model.results.len());
        let is_pulled = matches!(plan.source, Source::Iter(_) | Source::TryIter(_) | Source::Fn(_));
        let is_called = matches!(plan.sink, Sink::ForEach | Sink::Fold);
        match self.below(3) {
            _ if matches!(plan.source, Source::Posted(_)) && items > 0 => {
                Some(Fault::PostedCancel { at: self.below(items) })
            }
            0 if is_called && results > 0 => Some(Fault::Sink { at: self.below(results) }),
            1 if matches!(plan.source, Source::TryIter(_)) && items > 0 => {
                Some(Fault::SourceError { at: self.below(items) })
            }
            _ if is_pulled && items > 0 => Some(Fault::Source { at: self.below(items) }),
            _ => None,
        }
    }

    /// A fault at a step that sees an item.
    fn at_a_step(&mut self, plan: &Plan, model: &Model) -> Option<Fault> {
        let busy: Vec<_> =
            (0..model.steps.len()).filter(|step| !model.steps[*step].inputs.is_empty()).collect();
        if busy.is_empty() {
            return None;
        }
        // Some faults occur only in rare kinds of stages.
        let rare = |step: &&usize| {
            matches!(kind_of(plan, model, **step), Some(Kind::Concurrent { .. } | Kind::Keyed { .. }))
                || model.steps[**step].work == Work::Try
        };
        let rare: Vec<_> = busy.iter().filter(rare).copied().collect();
        let step = if rare.is_empty() || self.once_in(2) { self.one_of(&busy) } else { self.one_of(&rare) };
        let value = self.one_of(&model.steps[step].inputs);
        let work = model.steps[step].work;
        let kind = kind_of(plan, model, step);
        let is_moved = !matches!(work, Work::Inspect | Work::Filter) || model.steps[step].role != Role::Plain;
        let outside = self.once_in(2);
        Some(match self.below(7) {
            0 if work == Work::Try => Fault::Error { step, value },
            1 if matches!(kind, Some(Kind::Keyed { .. } | Kind::Scheduled { .. })) => {
                Fault::Schedule { step, value }
            }
            0..3 if matches!(kind, Some(Kind::Concurrent { .. })) => Fault::Pending { step, value },
            0 | 3 => Fault::Cancel { step, value, outside },
            4 | 5 if is_moved => Fault::Bomb { step, value },
            _ => Fault::Panic { step, value },
        })
    }
}

/// The kind of the stage that a step belongs to; `None` for the steps of sources.
pub fn kind_of<'a>(plan: &'a Plan, model: &Model, step: usize) -> Option<&'a Kind> {
    let mut first = model.steps.iter().filter(|step| step.part.is_some()).count();
    plan.nodes.iter().map(|node| &node.kind).find(|kind| {
        let count = if let Kind::Nested { stages, .. } = kind { stages.len() } else { 1 };
        first += count;
        (first - count..first).contains(&step)
    })
}
