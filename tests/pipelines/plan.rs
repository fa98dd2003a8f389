//! The description of a pipeline: it is drawn from a seed, used for the prediction, and built.

use std::fmt;

/// A whole pipeline.
#[derive(Clone, Debug)]
pub struct Plan {
    pub source: Source,
    pub nodes: Vec<Node>,
    /// The limit of items in flight.
    pub in_flight: Option<usize>,
    /// The sink receives the items in order.
    pub in_order: bool,
    pub sink: Sink,
    pub fault: Option<Fault>,
    pub measured: bool,
}

/// The source, and how many items it has.
#[derive(Clone, Debug)]
pub enum Source {
    Iter(usize),
    TryIter(usize),
    Fn(usize),
    /// A thread sends the items. If the source is quiet, the chan is kept until the run is over, so that the
    /// source does not end.
    Port {
        items: usize,
        quiet: bool,
    },
    /// Several merged pipelines, each with a source.
    Merge(Vec<Part>),
    /// Items posted by hand.
    Posted(usize),
}

/// One of several sources, with a farm of `replicas` replicas behind it, or none.
#[derive(Clone, Debug)]
pub struct Part {
    pub items: usize,
    pub replicas: usize,
    pub in_order: bool,
}

/// A stage, and whether the order is restored before it.
#[derive(Clone, Debug)]
pub struct Node {
    pub in_order: bool,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// Works on one item after the other.
    Serial(Work),
    Farm {
        replicas: usize,
        work: Work,
    },
    Keyed {
        replicas: usize,
        keys: u64,
    },
    RoundRobin {
        replicas: usize,
    },
    Scheduled {
        replicas: usize,
    },
    /// A farm of pipelines: for each stage the number of replicas, 0 for a sequential one.
    Nested {
        replicas: usize,
        stages: Vec<(usize, Work)>,
    },
    /// Items go back. With some kinds of work they multiply on their way.
    Feedback {
        replicas: usize,
        work: Work,
    },
    Concurrent {
        at_a_time: usize,
    },
    /// Keeps this many items back, and emits them together.
    Gather {
        size: usize,
    },
    /// The library's batches, and a stage that takes them apart.
    Batch {
        size: usize,
        aged: bool,
    },
}

/// What a stage does with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Map,
    /// May fail.
    Try,
    Inspect,
    Filter,
    FilterMap,
    FlatMap,
}

/// The sink. Some sinks stop after this many items.
#[derive(Clone, Debug)]
pub enum Sink {
    Collect,
    ForEach,
    Fold,
    Reduce,
    Iter { enough: Option<usize> },
    Port { enough: Option<usize> },
    PostedCollect,
    PostedWait,
    PostedDrop,
}

/// The fault, and where it happens: at a value in a step (see the model), or at a number.
#[derive(Clone, Debug)]
pub enum Fault {
    Panic {
        step: usize,
        value: u64,
    },
    Error {
        step: usize,
        value: u64,
    },
    /// The function that chooses an item's replica panics.
    Schedule {
        step: usize,
        value: u64,
    },
    Source {
        at: usize,
    },
    SourceError {
        at: usize,
    },
    Sink {
        at: usize,
    },
    /// Cancelled by a stage, or by another thread that the stage notifies.
    Cancel {
        step: usize,
        value: u64,
        outside: bool,
    },
    PostedCancel {
        at: usize,
    },
    /// An item's destructor panics, wherever it runs.
    Bomb {
        step: usize,
        value: u64,
    },
    /// A future is never ready, and another thread, which it notifies, cancels the pipeline.
    Pending {
        step: usize,
        value: u64,
    },
}

impl Work {
    /// A stage that does this to one item at a time has no thread of its own.
    pub fn joins(self) -> bool {
        !matches!(self, Work::Map | Work::Try)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  source: {:?}", self.source)?;
        for node in &self.nodes {
            write!(f, "  {:?}", node.kind)?;
            writeln!(f, "{}", if node.in_order { ", in order" } else { "" })?;
        }
        write!(f, "  sink: {:?}{}", self.sink, if self.in_order { ", in order" } else { "" })?;
        self.in_flight.map_or(Ok(()), |items| write!(f, "; {items} in flight"))?;
        write!(f, "{}", if self.measured { "; measured" } else { "" })?;
        self.fault.as_ref().map_or(Ok(()), |fault| write!(f, "\n  fault: {fault:?}"))
    }
}

impl Source {
    /// The number of items of each source.
    pub fn counts(&self) -> Vec<usize> {
        match self {
            Source::Iter(items) | Source::TryIter(items) | Source::Fn(items) | Source::Posted(items) => {
                vec![*items]
            }
            Source::Port { items, .. } => vec![*items],
            Source::Merge(parts) => parts.iter().map(|part| part.items).collect(),
        }
    }

    pub fn is_quiet(&self) -> bool {
        matches!(self, Source::Port { quiet: true, .. })
    }
}

impl Sink {
    pub fn enough(&self) -> Option<usize> {
        if let Sink::Iter { enough } | Sink::Port { enough } = self { *enough } else { None }
    }
}

/// A hash of both.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The value of an item of a source.
pub fn root(part: usize, number: usize) -> u64 {
    mix(part as u64, number as u64)
}

impl Work {
    /// The results of a value.
    pub fn results(self, step: usize, value: u64) -> Vec<u64> {
        let lot = mix(value, 100 + step as u64);
        let next = |child: u64| mix(lot, child);
        match self {
            Work::Map | Work::Try => vec![next(0)],
            Work::Inspect => vec![value],
            Work::Filter if lot.is_multiple_of(3) => vec![],
            Work::Filter => vec![value],
            Work::FilterMap if lot.is_multiple_of(3) => vec![],
            Work::FilterMap => vec![next(0)],
            Work::FlatMap => (0..[0, 1, 1, 1, 2, 3][(lot % 6) as usize]).map(next).collect(),
        }
    }
}

/// Returns `true` if a stage that makes an item from another one makes a fresh one.
pub fn is_fresh(step: usize, value: u64) -> bool {
    mix(value, 7 + step as u64).is_multiple_of(2)
}

/// Returns `true` if this item goes back.
pub fn goes_back(value: u64) -> bool {
    mix(value, 5).is_multiple_of(3)
}

/// The replica that a scheduler chooses, before it is taken modulo the number of replicas.
pub fn scheduled(value: u64) -> usize {
    (mix(value, 3) % 7) as usize
}
