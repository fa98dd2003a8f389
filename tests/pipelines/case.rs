//! One run of a pipeline: what its steps and its sink record, and where they inject the planned fault.

use crate::item::{Item, complain, panic_as_planned, step as progress};
use crate::model::Model;
use crate::plan::{Fault, Plan, is_fresh, mix};
use pipes_skeleton::{Cancel, Metrics};
use pipes_tests::{Rng, spin};
use std::collections::HashMap;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Values in the order in which they were recorded.
#[derive(Default)]
pub struct Log(Mutex<Vec<u64>>);

impl Log {
    pub fn push(&self, value: u64) {
        self.lock().push(value);
    }

    pub fn read(&self) -> Vec<u64> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A step's records: how often it has seen each item, and how many items it works on now.
#[derive(Default)]
pub struct Notes {
    pub seen: HashMap<u64, AtomicUsize>,
    active: AtomicUsize,
    /// The items, if the step works on one after the other.
    pub log: Log,
    is_point: bool,
    /// If the step deals its items out: the items in order, and those of each replica.
    pub dealt: Log,
    pub replicas: Vec<Log>,
    /// The segments that end and begin at this step.
    ends: Option<usize>,
    begins: Option<usize>,
}

/// How many items are in a segment, and how many results each of them still has to give.
struct Gauge {
    inside: AtomicIsize,
    missing: Vec<AtomicUsize>,
}

pub struct Case {
    pub plan: Plan,
    pub model: Model,
    pub notes: Vec<Notes>,
    gauges: Vec<Gauge>,
    /// The items that each source has given, and those that the sink has received.
    pub sources: Vec<Log>,
    pub sink: Log,
    pub cancel: Cancel,
    pub metrics: Metrics,
    /// Asks another thread to cancel.
    pub teller: Mutex<Option<Sender<()>>>,
    /// Makes another run of the same pipeline dawdle at other places.
    pub salt: u64,
}

/// The work of a step on an item.
pub struct Visit {
    case: Arc<Case>,
    step: usize,
    value: u64,
}

impl Case {
    pub fn new(plan: Plan, model: Model, salt: u64) -> Arc<Self> {
        let segments = &model.segments;
        let notes = |(number, step): (usize, &crate::model::Step)| Notes {
            seen: step.inputs.iter().map(|value| (*value, AtomicUsize::new(0))).collect(),
            replicas: (0..step.replicas).map(|_| Log::default()).collect(),
            is_point: segments.iter().any(|segment| segment.to == number),
            ends: segments.iter().position(|segment| segment.to == number),
            begins: segments.iter().position(|segment| segment.from == Some(number)),
            ..Notes::default()
        };
        let gauge = |results: &Vec<usize>| Gauge {
            inside: AtomicIsize::new(0),
            missing: results.iter().map(|count| AtomicUsize::new(*count)).collect(),
        };
        Arc::new(Case {
            notes: model.steps.iter().enumerate().map(|(number, step)| notes((number, step))).collect(),
            gauges: segments.iter().map(|segment| gauge(&segment.results)).collect(),
            sources: model.roots.iter().map(|_| Log::default()).collect(),
            sink: Log::default(),
            cancel: Cancel::new(),
            metrics: Metrics::new(),
            teller: Mutex::new(None),
            plan,
            model,
            salt,
        })
    }

    /// Takes some time, or none.
    pub fn dawdle(&self, value: u64, place: usize) {
        let lot = mix(value ^ self.salt, place as u64);
        match lot % 64 {
            // Rarely, because on a busy machine it takes as long as other threads run.
            0 => std::thread::yield_now(),
            1 => spin(Rng::with_seed(lot).u64(..40_000)),
            2..24 => spin(Rng::with_seed(lot).u64(..0x200)),
            _ => {}
        }
    }

    /// Records that an item has entered a segment.
    pub fn enter(&self, segment: usize, value: u64) {
        let said = &self.model.segments[segment];
        if !said.entries.contains_key(&value) {
            return;
        }
        let inside = self.gauges[segment].inside.fetch_add(1, SeqCst) + 1;
        if let Some(most) = said.most
            && inside > most as isize
        {
            let (from, to) = (said.from, said.to);
            complain(format!("{inside} items are between {from:?} and {to}, where {most} have room"));
        }
    }

    /// Records that one of an item's results is done with the segment.
    pub fn leave(&self, segment: usize, value: u64) {
        if let Some(number) = self.model.segments[segment].exits.get(&value)
            && self.gauges[segment].missing[*number].fetch_sub(1, SeqCst) == 1
        {
            self.gauges[segment].inside.fetch_sub(1, SeqCst);
        }
    }

    /// Records that an item has left the last step.
    pub fn leave_last(&self, value: u64) {
        self.leave(self.model.segments.len() - 1, value);
    }

    /// The next item of a source, unless it fails.
    pub fn pull(&self, part: usize, number: usize) -> Result<Item, String> {
        progress();
        match self.plan.fault {
            Some(Fault::Source { at }) if at == number => panic_as_planned(),
            Some(Fault::SourceError { at }) if at == number => return Err("planned".to_owned()),
            _ => {}
        }
        let value = self.model.roots[part][number];
        self.sources[part].push(value);
        self.enter(0, value);
        self.dawdle(value, 50);
        Ok(Item::new(value))
    }

    /// Begins the work of a replica on an item.
    pub fn begin(self: &Arc<Self>, step: usize, replica: usize, item: &Item) -> Visit {
        progress();
        let (notes, value) = (&self.notes[step], item.value);
        let visit = Visit { case: self.clone(), step, value };
        match notes.seen.get(&value) {
            None => complain(format!("step {step} has got {value:x}, which is not for it")),
            Some(times) => {
                if times.fetch_add(1, SeqCst) > 0 {
                    complain(format!("step {step} has got {value:x} twice"));
                }
            }
        }
        let active = notes.active.fetch_add(1, SeqCst) + 1;
        let limit = self.model.steps[step].limit;
        if active > limit {
            complain(format!("step {step} has {active} items at a time, with a limit of {limit}"));
        }
        if notes.is_point {
            notes.log.push(value);
        }
        match notes.replicas.get(replica) {
            Some(log) => log.push(value),
            None => complain(format!("step {step} has a replica {replica}")),
        }
        self.dawdle(value, step);
        match self.plan.fault {
            Some(Fault::Panic { step: at, value: this }) if (at, this) == (step, value) => panic_as_planned(),
            Some(Fault::Cancel { step: at, value: this, outside }) if (at, this) == (step, value) => {
                if outside {
                    self.tell()
                } else {
                    self.cancel.cancel()
                }
            }
            _ => {}
        }
        visit
    }

    /// Has another thread cancel the pipeline.
    pub fn tell(&self) {
        if let Some(teller) = &*self.teller.lock().unwrap_or_else(PoisonError::into_inner) {
            teller.send(()).expect("it listens");
        }
    }

    /// Makes the item's destructor panic, if that is planned.
    pub fn arm(&self, step: usize, item: &mut Item) {
        if let Some(Fault::Bomb { step: at, value }) = self.plan.fault {
            item.is_bomb |= (at, value) == (step, item.value);
        }
    }

    /// The step as a function from one item to another.
    pub fn map(self: &Arc<Self>, step: usize, replica: usize, mut item: Item) -> Item {
        let visit = self.begin(step, replica, &item);
        self.arm(step, &mut item);
        let value = item.value;
        let results = self.model.steps[step].work.results(step, value);
        let item = item.turn_into(results[0], is_fresh(step, value));
        visit.emits(item.value);
        item
    }

    /// The step, which may fail, as a function from one item to another.
    pub fn try_map(self: &Arc<Self>, step: usize, replica: usize, item: Item) -> Result<Item, String> {
        match self.plan.fault {
            Some(Fault::Error { step: at, value }) if (at, value) == (step, item.value) => {
                let _visit = self.begin(step, replica, &item);
                Err("planned".to_owned())
            }
            _ => Ok(self.map(step, replica, item)),
        }
    }

    /// Records that a scheduler is asked for the replica of a step's item.
    pub fn schedule(&self, step: usize, item: &Item) {
        progress();
        self.notes[step].dealt.push(item.value);
        if let Some(Fault::Schedule { step: at, value }) = self.plan.fault
            && (at, value) == (step, item.value)
        {
            panic_as_planned();
        }
    }

    /// Records that the sink has received an item.
    pub fn arrive(&self, item: &mut Item) {
        progress();
        item.is_bomb = false;
        let before = self.sink.read().len();
        self.sink.push(item.value);
        self.dawdle(item.value, 60);
        if let Some(Fault::Sink { at }) = self.plan.fault
            && at == before
        {
            panic_as_planned();
        }
    }
}

impl Visit {
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The segment that begins at this step.
    pub fn begins(&self) -> Option<usize> {
        self.case.notes[self.step].begins
    }

    /// The step emits a result, for which there is a place.
    pub fn emits(&self, value: u64) {
        if let Some(segment) = self.begins() {
            self.case.enter(segment, value);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let notes = &self.case.notes[self.step];
        notes.active.fetch_sub(1, SeqCst);
        if let Some(segment) = notes.ends {
            self.case.leave(segment, self.value);
        }
    }
}
