//! The places of a pipeline where its items come one after the other, and what is promised between each two
//! of them: the order, and the number of items.

use crate::model::Model;
use crate::plan::{Kind, Plan, Sink, Source};
use std::collections::HashMap;

/// The room of a region without a limit.
const DEFAULT: usize = 256;

/// The part of a pipeline between two places where the test sees the items one after the other.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The step that it begins behind; `None` for the source.
    pub from: Option<usize>,
    /// The step that it ends at; the number of steps for the sink.
    pub to: usize,
    /// The most items inside, if the test can tell.
    pub most: Option<usize>,
    /// The items keep their order (with several sources, each source's items do).
    pub in_order: bool,
    /// The results of one item come together, in any order.
    pub is_loose: bool,
    /// For each value that enters and does not vanish, its number; the same for each value that comes out,
    /// and the number of results of each entry.
    pub entries: HashMap<u64, usize>,
    pub exits: HashMap<u64, usize>,
    pub results: Vec<usize>,
    /// The steps inside that deal their items out.
    pub dealt: Vec<Dealt>,
}

/// A step that deals its items out: how, and what is promised of the order of its input.
#[derive(Clone, Debug)]
pub struct Dealt {
    pub step: usize,
    pub kind: Kind,
    pub in_order: bool,
    pub is_loose: bool,
}

/// The state of a walk along the pipeline.
struct Walk {
    /// The room of a region, and the number of regions so far.
    room: usize,
    regions: usize,
    /// The last stage has replicas.
    is_region: bool,
    in_order: bool,
    open: Segment,
    done: Vec<Segment>,
}

impl Segment {
    fn from(from: Option<usize>) -> Self {
        Segment {
            from,
            to: 0,
            most: Some(0),
            in_order: true,
            is_loose: false,
            entries: HashMap::new(),
            exits: HashMap::new(),
            results: Vec::new(),
            dealt: Vec::new(),
        }
    }

    /// The first step of the segment.
    pub fn first(&self) -> usize {
        self.from.map_or(0, |step| step + 1)
    }
}

impl Walk {
    /// A place where the items come one after the other, whether or not the test sees it.
    fn point(&mut self) {
        let kept = !self.is_region || self.in_order;
        self.add_regions(1);
        self.open.in_order &= kept;
        (self.is_region, self.in_order) = (false, false);
    }

    fn add_regions(&mut self, regions: usize) {
        self.regions += regions;
        self.add_items(regions * self.room);
    }

    fn add_items(&mut self, items: usize) {
        self.open.most = self.open.most.map(|most| most + items);
    }

    /// Ends the segment at a place that the test sees.
    fn close(&mut self, to: usize) {
        let open = std::mem::replace(&mut self.open, Segment::from(Some(to)));
        self.done.push(Segment { to, ..open });
    }

    /// A stage with replicas. If order was asked for, it is restored before the stage.
    fn region(&mut self) {
        if self.is_region && self.in_order {
            self.point();
        }
        (self.is_region, self.in_order) = (true, false);
    }

    fn node(&mut self, kind: &Kind, step: usize) {
        match kind {
            Kind::Serial(_) if self.is_region && !self.in_order => {}
            Kind::Serial(work) if !self.is_region && work.joins() => {
                // The item that the thread of the stage before has in hand.
                self.add_items(1);
                self.close(step);
            }
            Kind::Serial(_) | Kind::Gather { .. } => {
                self.point();
                self.close(step);
            }
            Kind::Batch { size, .. } => {
                self.point();
                // The next batch, and the one that is taken apart.
                self.add_items(2 * size);
                self.close(step);
            }
            Kind::Farm { .. } | Kind::Nested { .. } | Kind::Concurrent { .. } => self.region(),
            Kind::Feedback { .. } => {
                self.region();
                self.open.is_loose = true;
            }
            Kind::Keyed { .. } | Kind::RoundRobin { .. } | Kind::Scheduled { .. } => {
                if self.is_region {
                    self.point();
                }
                self.region();
                let (in_order, is_loose) = (self.open.in_order, self.open.is_loose);
                self.open.dealt.push(Dealt { step, kind: kind.clone(), in_order, is_loose });
            }
        }
    }

    /// The sources, up to where they are merged.
    fn source(&mut self, source: &Source) -> usize {
        let Source::Merge(parts) = source else {
            if matches!(source, Source::Port { .. }) {
                self.open.most = None;
            }
            return 0;
        };
        if let [part] = &parts[..] {
            // A merge of one pipeline is that pipeline.
            (self.is_region, self.in_order) = (part.replicas > 0, part.in_order);
            return usize::from(self.is_region);
        }
        for part in parts {
            self.add_regions(1 + usize::from(part.replicas > 0));
            self.open.in_order &= part.replicas == 0 || part.in_order;
        }
        parts.iter().filter(|part| part.replicas > 0).count()
    }
}

/// The segments between all places that the test sees.
pub fn segments(plan: &Plan, model: &Model) -> Vec<Segment> {
    // All regions have equal shares of the limit.
    let regions = walk(plan, 0).regions;
    let room = plan.in_flight.map_or(DEFAULT, |items| (items / regions).max(1));
    walk(plan, room).done.into_iter().map(|segment| number(segment, model)).collect()
}

fn walk(plan: &Plan, room: usize) -> Walk {
    let mut walk = Walk {
        room,
        regions: 0,
        is_region: false,
        in_order: false,
        open: Segment::from(None),
        done: Vec::new(),
    };
    let mut step = walk.source(&plan.source);
    for node in &plan.nodes {
        walk.in_order |= node.in_order;
        walk.node(&node.kind, step);
        step += if let Kind::Nested { stages, .. } = &node.kind { stages.len() } else { 1 };
    }
    walk.in_order |= plan.in_order;
    walk.point();
    match plan.sink {
        // The test does not see when an item is done.
        Sink::Collect | Sink::Reduce | Sink::PostedCollect | Sink::PostedWait | Sink::PostedDrop => {
            walk.open.most = None;
        }
        // The items in the port, and the one that the test has taken from it.
        Sink::Port { .. } => {
            walk.add_regions(1);
            walk.add_items(1);
        }
        Sink::ForEach | Sink::Fold | Sink::Iter { .. } => {}
    }
    walk.close(step);
    walk
}

/// Numbers the items that enter and come out.
fn number(mut segment: Segment, model: &Model) -> Segment {
    let entries = match segment.from {
        None => model.roots.concat(),
        Some(from) => model.steps[from]
            .inputs
            .iter()
            .flat_map(|value| model.steps[from].work.results(from, *value))
            .collect(),
    };
    for entry in entries {
        let (exits, _) = model.expand(segment.first()..segment.to, entry, false);
        if exits.is_empty() {
            continue;
        }
        let number = segment.results.len();
        segment.results.push(exits.len());
        segment.entries.insert(entry, number);
        segment.exits.extend(exits.into_iter().map(|exit| (exit, number)));
    }
    segment
}
