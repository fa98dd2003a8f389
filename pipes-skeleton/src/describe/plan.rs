//! The plan of a pipeline: names, limits, handles that cancel it, and errors in its description.

use super::cancel::Cancel;
use crate::failure::{BuildError, Failure, FailureKind};
use crate::measure::metrics::{Metrics, Note};
use crate::run::setting::Setting;
use crate::run::stage_info::{Runs, StageInfo};
use crate::run::threads::Threads;
use crate::sync::Arc;
use std::fmt;
use std::mem::take;

/// The default maximum number of items in a region.
const ROOM: usize = 256;

/// The maximum number of replicas of a stage.
pub(super) const MOST_REPLICAS: usize = 1 << 16;

pub(super) struct Plan {
    /// The maximum number of items in the whole pipeline, or their size, if one was set.
    pub(super) in_flight: Option<usize>,
    /// Items are weighed.
    pub(super) is_weighed: bool,
    /// The number of regions, which share the limit.
    regions: usize,
    /// A region without order ends before the next stage.
    region_has_ended: bool,
    /// The order is to be restored for the next sequential stage or the sink.
    pub(super) in_order: bool,
    /// The id of the part, if this is part of a farm or a loop.
    part: Option<PartId>,
    pub(super) stages: Vec<StageInfo>,
    /// The stages of another replica of the same farm, with which this one shares them.
    pattern: Vec<StageInfo>,
    fault: Option<(StageInfo, BuildError)>,
    cancels: Vec<Cancel>,
    metrics: Option<Metrics>,
    /// The size of the threads' stacks, or `None` for the default.
    pub(super) stack_size: Option<usize>,
}

/// The id of a part of a pipeline.
pub(super) type PartId = Arc<()>;

impl Plan {
    pub(super) fn new() -> Self {
        Plan {
            in_flight: None,
            is_weighed: false,
            regions: 0,
            region_has_ended: false,
            in_order: false,
            part: None,
            stages: Vec::new(),
            pattern: Vec::new(),
            fault: None,
            cancels: Vec::new(),
            metrics: None,
            stack_size: None,
        }
    }

    /// Returns the plan of a part. The replicas of a farm share their stages: `first` is the plan of the
    /// first replica.
    pub(super) fn of_part(&self, part: &PartId, first: Option<&Plan>) -> Self {
        let stages = self.stages.clone();
        // In a farm inside a farm, the first replica may share its stages with another replica of the outer
        // farm.
        let pattern = first.map_or(&self.pattern, |first| &first.stages).clone();
        Plan { part: Some(part.clone()), stages, pattern, ..Plan::new() }
    }

    /// Adds a source, with a thread of its own or without.
    pub(super) fn add_source(&mut self, has_thread: bool) -> StageInfo {
        self.add_stage(Some("source"), Runs::Source { has_thread })
    }

    /// Adds a stage.
    pub(super) fn add_stage(&mut self, name: Option<&str>, runs: Runs) -> StageInfo {
        let position = self.stages.len();
        let fresh = || {
            let name = name.map_or_else(|| format!("stage {position}"), str::to_owned);
            StageInfo::new(position, name)
        };
        let info = self.pattern.get(position).cloned().unwrap_or_else(fresh);
        info.add_copy(runs);
        if take(&mut self.region_has_ended) {
            info.ends_region(false);
        }
        self.stages.push(info.clone());
        info
    }

    /// Renames the last stage.
    pub(super) fn rename(&mut self, name: String) {
        if let Some(last) = self.stages.last() {
            last.rename(name);
        }
    }

    /// Gives the last stage a note.
    pub(super) fn annotate(&mut self, note: Note) {
        if let Some(last) = self.stages.last() {
            last.annotate(note);
        }
    }

    /// Ends a region before a stage, if it is known. Returns `true` if its end restores the order.
    pub(super) fn end_region(&mut self, before: Option<&StageInfo>) -> bool {
        self.regions += 1;
        let in_order = take(&mut self.in_order);
        before.into_iter().for_each(|info| info.ends_region(in_order));
        in_order
    }

    /// Ends a region without order before the next stage.
    pub(super) fn end_region_before_next(&mut self) {
        self.end_region(None);
        self.region_has_ended = true;
    }

    /// Returns the number of regions if a sink follows here.
    pub(super) fn regions_with_sink(&self) -> usize {
        self.regions + 1
    }

    /// Returns `true` if a region has ended.
    pub(super) fn has_region(&self) -> bool {
        self.regions > 0
    }

    /// Returns what [`room`](Plan::room) will return if a sink follows here.
    pub(super) fn room_with_sink(&self) -> usize {
        self.in_flight.map_or(ROOM, |limit| (limit / (self.regions + 1)).max(1))
    }

    /// Returns the maximum number of items in each region, or their size.
    pub(super) fn room(&self) -> usize {
        self.in_flight.map_or(ROOM, |limit| (limit / self.regions.max(1)).max(1))
    }

    /// Records an error in the description of the last stage. Only the first error is reported.
    pub(super) fn fault(&mut self, error: BuildError) {
        if let Some(last) = self.stages.last() {
            self.fault.get_or_insert((last.clone(), error));
        }
    }

    /// Records an error in the description of the last stage unless the condition holds.
    pub(super) fn check(&mut self, holds: bool, error: BuildError) {
        if !holds {
            self.fault(error);
        }
    }

    /// Records an error in the call of a function that adds no stage, unless the condition holds.
    pub(super) fn check_call(&mut self, function: &str, holds: bool, error: BuildError) {
        if !holds {
            self.fault.get_or_insert_with(|| (StageInfo::new(0, function.to_owned()), error));
        }
    }

    pub(super) fn cancelled_by(&mut self, cancel: Cancel) {
        self.cancels.push(cancel);
    }

    pub(super) fn measured(&mut self, metrics: Metrics) {
        self.metrics = Some(metrics);
    }

    /// Takes over the plan of a part: a replica of a farm, or a loop. `function` is `farm` or `feedback`.
    pub(super) fn adopt(&mut self, function: &str, which: &PartId, mut part: Plan) {
        let is_part = part.part.as_ref().is_some_and(|it| Arc::ptr_eq(it, which));
        // The part's stages begin with those of this plan, which may already have those of another replica.
        let known = self.stages.len().min(part.stages.len());
        self.stages.extend(part.stages.drain(known..));
        self.join(part);
        self.check_call(function, is_part, BuildError::NotAPart);
    }

    /// Takes over the plan of one of the pipelines that are merged.
    pub(super) fn merge(&mut self, mut part: Plan) {
        let before = self.stages.len();
        let stages = part.stages.drain(..).inspect(|info| info.shift(before));
        self.stages.extend(stages);
        self.join(part);
    }

    fn join(&mut self, part: Plan) {
        self.cancels.extend(part.cancels);
        self.metrics = self.metrics.take().or(part.metrics);
        self.stack_size = self.stack_size.max(part.stack_size);
        if self.in_flight.is_some() && part.in_flight.is_some() && self.is_weighed != part.is_weighed {
            self.check_call("merge", false, BuildError::MixedLimits);
        }
        self.in_flight = self.in_flight.max(part.in_flight);
        self.is_weighed |= part.is_weighed;
        self.regions += part.regions;
        if let Some(fault) = part.fault {
            self.fault.get_or_insert(fault);
        }
    }

    /// Begins a run of the pipeline.
    ///
    /// # Errors
    ///
    /// Returns an error if the description has one.
    pub(super) fn threads(&mut self) -> Result<Threads, Failure> {
        match self.fault.take() {
            None => Ok(Threads::new(Setting {
                metrics: self.metrics.clone(),
                stack_size: self.stack_size,
                room: self.room(),
                is_weighed: self.is_weighed,
            })),
            Some((stage, error)) => Err(Failure::new(stage.name(), FailureKind::Build(error))),
        }
    }

    /// Adds the run to its cancel handles, before its stages start, so that these may use the handles.
    pub(super) fn attach_cancels(&self, threads: &Threads) {
        self.cancels.iter().for_each(|cancel| cancel.attach(threads));
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages: Vec<_> = self.stages.iter().map(StageInfo::name).collect();
        f.debug_struct("Plan")
            .field("stages", &stages)
            .field("fault", &self.fault.as_ref().map(|fault| fault.1))
            .finish_non_exhaustive()
    }
}
