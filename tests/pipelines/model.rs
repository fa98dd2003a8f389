//! The prediction: a sequential model of a pipeline, which knows what each step sees and makes of it, and
//! where a planned fault ends the run.
//!
//! A *step* is a function of the test in the pipeline: a stage, a stage of a farm's part, or the function of
//! a feedback. Steps are numbered in the order in which an item passes them.

use crate::layout::{Segment, segments};
use crate::plan::{Fault, Kind, Plan, Source, Work, goes_back, is_fresh, root};
use std::collections::HashMap;
use std::ops::Range;

/// How a step is used in the pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// Decides which items go back.
    Round,
    Gather(usize),
    /// Takes batches of this size apart; with an age, batches may be smaller.
    Unbatch(usize, bool),
}

#[derive(Clone, Debug)]
pub struct Step {
    pub name: String,
    pub work: Work,
    pub role: Role,
    /// The most items that it works on at a time, and the number of its replicas.
    pub limit: usize,
    pub replicas: usize,
    /// Only the items of this source pass it.
    pub part: Option<usize>,
    /// All values that it sees if nothing goes wrong.
    pub inputs: Vec<u64>,
}

/// What the caller is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Fine,
    Panic(String),
    Error(String),
    Cancelled,
}

pub struct Model {
    pub steps: Vec<Step>,
    pub segments: Vec<Segment>,
    /// The sources' items.
    pub roots: Vec<Vec<u64>>,
    part_of: HashMap<u64, usize>,
    /// What comes out if nothing goes wrong.
    pub results: Vec<u64>,
    /// The step at which this value is lost.
    pub dead: Option<(usize, u64)>,
    /// The possible ends of the run, unless the sink stops it before.
    pub ends: Vec<Told>,
}

impl Model {
    pub fn new(plan: &Plan) -> Self {
        let counts = plan.source.counts();
        let roots: Vec<Vec<u64>> = (0..)
            .zip(&counts)
            .map(|(part, count)| (0..*count).map(|number| root(part, number)).collect())
            .collect();
        let part_of = (0..).zip(&roots).flat_map(|(part, all)| all.iter().map(move |value| (*value, part)));
        let mut model = Model {
            steps: steps(plan),
            segments: Vec::new(),
            part_of: part_of.collect(),
            roots,
            results: Vec::new(),
            dead: None,
            ends: Vec::new(),
        };
        let mut values: Vec<u64> = model.roots.concat();
        for step in 0..model.steps.len() {
            let (mut seen, mut results) = (Vec::new(), Vec::new());
            for value in values {
                if model.concerns(step, value) {
                    model.visit(step, value, &mut seen, &mut results, false);
                } else {
                    results.push(value);
                }
            }
            model.steps[step].inputs = seen;
            values = results;
        }
        model.results = values;
        model.segments = segments(plan, &model);
        model.plan_end(plan);
        model
    }

    /// Returns `true` if an item of this value, coming from its source, passes this step.
    fn concerns(&self, step: usize, value: u64) -> bool {
        self.steps[step].part.is_none_or(|part| self.part_of.get(&value) == Some(&part))
    }

    /// Records what a step sees of a value and makes of it; with feedback, in all its rounds. Returns whether
    /// the value that is lost was among them; with `stop`, stops there.
    fn visit(
        &self,
        step: usize,
        value: u64,
        seen: &mut Vec<u64>,
        results: &mut Vec<u64>,
        stop: bool,
    ) -> bool {
        seen.push(value);
        if self.dead == Some((step, value)) {
            return true;
        }
        let mut dead = false;
        for result in self.steps[step].work.results(step, value) {
            if self.steps[step].role == Role::Round && goes_back(result) {
                dead |= self.visit(step, result, seen, results, stop);
            } else {
                results.push(result);
            }
            if dead && stop {
                break;
            }
        }
        dead
    }

    /// What the steps of a range make of a value; with `stop`, up to the value that is lost.
    pub fn expand(&self, range: Range<usize>, value: u64, stop: bool) -> (Vec<u64>, bool) {
        let mut all = Vec::new();
        let dead = self.expand_to(range, value, stop, &mut all);
        (all, dead)
    }

    fn expand_to(&self, range: Range<usize>, value: u64, stop: bool, all: &mut Vec<u64>) -> bool {
        let Range { start, end } = range;
        if start >= end {
            all.push(value);
            return false;
        }
        if !self.concerns(start, value) {
            return self.expand_to(start + 1..end, value, stop, all);
        }
        let (mut seen, mut results) = (Vec::new(), Vec::new());
        let mut dead = self.visit(start, value, &mut seen, &mut results, stop);
        for result in results {
            let later = self.expand_to(start + 1..end, result, stop, all);
            dead |= later;
            if later && stop {
                break;
            }
        }
        dead
    }

    /// The step and the value at which an item's destructor panics; `None` if it is never dropped inside the
    /// pipeline.
    fn explosion(&self, mut step: usize, mut value: u64) -> Option<(usize, u64)> {
        let at = self.steps[step].inputs.contains(&value);
        assert!(at, "a bomb is laid where an item is");
        while step < self.steps.len() {
            if !self.concerns(step, value) {
                step += 1;
                continue;
            }
            let Step { role, work, .. } = &self.steps[step];
            let results = work.results(step, value);
            let keeps = match (role, work) {
                (Role::Gather(_) | Role::Unbatch(..), _) | (_, Work::Inspect) => true,
                (_, Work::Filter) => !results.is_empty(),
                (_, Work::FlatMap) => false,
                _ => !results.is_empty() && !is_fresh(step, value),
            };
            if !keeps {
                return Some((step, value));
            }
            value = results[0];
            if !(*role == Role::Round && goes_back(value)) {
                step += 1;
            }
        }
        None
    }

    fn plan_end(&mut self, plan: &Plan) {
        let name = |step: usize| self.steps[step].name.clone();
        let source = "source".to_owned();
        let (dead, end) = match plan.fault {
            None => (None, vec![Told::Fine]),
            Some(Fault::Panic { step, value } | Fault::Schedule { step, value }) => {
                (Some((step, value)), vec![Told::Panic(name(step))])
            }
            Some(Fault::Error { step, value }) => (Some((step, value)), vec![Told::Error(name(step))]),
            Some(Fault::Source { .. }) => (None, vec![Told::Panic(source)]),
            Some(Fault::SourceError { .. }) => (None, vec![Told::Error(source)]),
            Some(Fault::Sink { .. }) => (None, vec![Told::Panic("sink".to_owned())]),
            Some(Fault::Cancel { outside: true, .. }) if !plan.source.is_quiet() => {
                (None, vec![Told::Fine, Told::Cancelled])
            }
            Some(Fault::Cancel { .. } | Fault::PostedCancel { .. }) => (None, vec![Told::Cancelled]),
            Some(Fault::Pending { step, value }) => (Some((step, value)), vec![Told::Cancelled]),
            Some(Fault::Bomb { step, value }) => match self.explosion(step, value) {
                Some((step, value)) => (Some((step, value)), vec![Told::Panic(name(step))]),
                None => (None, vec![Told::Fine]),
            },
        };
        (self.dead, self.ends) = (dead, end);
    }

    /// The amount of work: the number of values that all steps see.
    pub fn size(&self) -> usize {
        self.steps.iter().map(|step| step.inputs.len()).sum()
    }
}

/// The steps of a description.
fn steps(plan: &Plan) -> Vec<Step> {
    let mut all = Vec::new();
    let mut add = |work, role, limit: usize, replicas, part| {
        let name = format!("s{}", all.len());
        all.push(Step { name, work, role, limit, replicas, part, inputs: Vec::new() });
    };
    if let Source::Merge(parts) = &plan.source {
        for (number, part) in (0..).zip(parts).filter(|(_, part)| part.replicas > 0) {
            add(Work::Map, Role::Plain, part.replicas, part.replicas, Some(number));
        }
    }
    for node in &plan.nodes {
        match &node.kind {
            Kind::Serial(work) => add(*work, Role::Plain, 1, 1, None),
            Kind::Farm { replicas, work } => add(*work, Role::Plain, *replicas, *replicas, None),
            Kind::Keyed { replicas, .. } | Kind::RoundRobin { replicas } | Kind::Scheduled { replicas } => {
                add(Work::Map, Role::Plain, *replicas, *replicas, None);
            }
            Kind::Nested { replicas, stages } => {
                for (inner, work) in stages {
                    let all = replicas * (*inner).max(1);
                    add(*work, Role::Plain, all, all, None);
                }
            }
            Kind::Feedback { replicas, work } => add(*work, Role::Round, *replicas, *replicas, None),
            Kind::Concurrent { at_a_time } => add(Work::Map, Role::Plain, *at_a_time, 1, None),
            Kind::Gather { size } => add(Work::Inspect, Role::Gather(*size), 1, 1, None),
            Kind::Batch { size, aged } => add(Work::Inspect, Role::Unbatch(*size, *aged), 1, 1, None),
        }
    }
    all
}
