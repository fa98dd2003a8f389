//! What a pipeline has besides its stages: names, limits, handles that cancel it, and errors in its
//! description.

use super::cancel::Cancel;
use crate::failure::{BuildError, Cause, Failure};
use crate::measure::metrics::{Metrics, Note};
use crate::run::crew::Crew;
use crate::run::station::{Limits, Station};
use crate::sync::Arc;
use std::fmt;
use std::mem::take;

/// The default limit of items between two sequential stages.
const ROOM: usize = 256;
/// The default limit of items in a region.
const WINDOW: usize = 256;

/// The largest number of replicas of a stage.
pub(super) const MOST_REPLICAS: usize = 1 << 16;

pub(super) struct Plan {
    pub(super) room: usize,
    pub(super) window: usize,
    /// The next sequential stage or sink gets the items in the order of the source.
    pub(super) in_order: bool,
    /// The id of the part, if this is part of a farm or a loop.
    part: Option<PartId>,
    stations: Vec<Station>,
    /// The stages of another replica of the same farm.
    pattern: Vec<Station>,
    fault: Option<(Station, BuildError)>,
    cancels: Vec<Cancel>,
    metrics: Option<Metrics>,
    /// The size of the threads' stacks; `None` for the usual one.
    pub(super) stack_size: Option<usize>,
}

/// The id of a part of a pipeline.
pub(super) type PartId = Arc<()>;

impl Plan {
    pub(super) fn new() -> Self {
        Plan {
            room: ROOM,
            window: WINDOW,
            in_order: false,
            part: None,
            stations: Vec::new(),
            pattern: Vec::new(),
            fault: None,
            cancels: Vec::new(),
            metrics: None,
            stack_size: None,
        }
    }

    /// Returns the plan of a part. All replicas of a farm share their stations.
    pub(super) fn of_part(&self, part: &PartId, sister: Option<&Plan>) -> Self {
        let stations = self.stations.clone();
        // In a farm inside a farm, the first replica may have counterparts in other replicas of the outer
        // farm.
        let pattern = sister.map_or(&self.pattern, |sister| &sister.stations).clone();
        Plan {
            room: self.room,
            window: self.window,
            part: Some(part.clone()),
            stations,
            pattern,
            ..Plan::new()
        }
    }

    /// Returns `true` if it is part of a farm or of a loop.
    pub(super) fn is_nested(&self) -> bool {
        self.part.is_some()
    }

    /// Adds a stage.
    pub(super) fn station(&mut self, name: Option<&str>) -> Station {
        let place = self.stations.len();
        let fresh = || {
            let name = name.map_or_else(|| format!("stage {place}"), str::to_owned);
            Station::new(place, name)
        };
        let station = self.pattern.get(place).cloned().unwrap_or_else(fresh);
        self.stations.push(station.clone());
        station
    }

    /// Renames the last stage.
    pub(super) fn rename(&mut self, name: String) {
        if let Some(last) = self.stations.last() {
            last.rename(name);
        }
    }

    /// Gives the last stage a note.
    pub(super) fn annotate(&mut self, note: Note) {
        if let Some(last) = self.stations.last() {
            last.annotate(note);
        }
    }

    /// Returns `true` if the next sequential stage should restore the order, and can.
    pub(super) fn orders(&self) -> bool {
        self.in_order && !self.is_nested()
    }

    /// Returns `true` if this sequential stage should get the items in the order of the source. Clears the
    /// request.
    pub(super) fn take_order(&mut self) -> bool {
        take(&mut self.in_order)
    }

    /// Returns the limits in front of this sequential stage.
    pub(super) fn limits(&mut self) -> Limits {
        Limits { room: self.room, window: self.window, in_order: self.take_order() }
    }

    /// Records an error in the description of the last stage. The first error is the one that is reported.
    pub(super) fn fault(&mut self, error: BuildError) {
        if let Some(last) = self.stations.last() {
            self.fault.get_or_insert((last.clone(), error));
        }
    }

    /// Records an error in the description of the last stage unless the condition holds.
    pub(super) fn check(&mut self, holds: bool, error: BuildError) {
        if !holds {
            self.fault(error);
        }
    }

    /// Records an error in the call of a function that has no stage of its own, unless the condition holds.
    pub(super) fn check_call(&mut self, function: &str, holds: bool, error: BuildError) {
        if !holds {
            self.fault.get_or_insert_with(|| (Station::new(0, function.to_owned()), error));
        }
    }

    pub(super) fn cancelled_by(&mut self, cancel: Cancel) {
        self.cancels.push(cancel);
    }

    pub(super) fn measured(&mut self, metrics: Metrics) {
        self.metrics = Some(metrics);
    }

    /// Takes over the plan of a part: of a replica of a farm, or of a loop. `function` has made it.
    pub(super) fn adopt(&mut self, function: &str, which: &PartId, mut part: Plan) {
        let is_part = part.part.as_ref().is_some_and(|it| Arc::ptr_eq(it, which));
        let in_order = part.in_order;
        (self.room, self.window) = (part.room, part.window);
        // The part's stations begin with those that are here, and those of another replica may be here
        // already.
        let known = self.stations.len().min(part.stations.len());
        self.stations.extend(part.stations.drain(known..));
        self.join(part);
        self.check_call(function, is_part, BuildError::NotAPart);
        self.check(!in_order, BuildError::OrderInFarm);
    }

    /// Takes over the plan of one of the pipelines that are merged.
    pub(super) fn merge(&mut self, mut part: Plan) {
        let before = self.stations.len();
        let stations = part.stations.drain(..).inspect(|station| station.move_back(before));
        self.stations.extend(stations);
        self.check_call("merge", !part.is_nested(), BuildError::NotAPart);
        self.join(part);
    }

    fn join(&mut self, part: Plan) {
        self.cancels.extend(part.cancels);
        self.metrics = self.metrics.take().or(part.metrics);
        self.stack_size = self.stack_size.max(part.stack_size);
        if let Some(fault) = part.fault {
            self.fault.get_or_insert(fault);
        }
    }

    /// Creates the crew that runs the pipeline, unless there is an error in the description.
    pub(super) fn crew(&mut self) -> Result<Crew, Failure> {
        self.check(!self.is_nested(), BuildError::NotAPart);
        match self.fault.take() {
            None => {
                let crew = Crew::with(self.metrics.clone(), self.stack_size);
                if self.cancels.iter().any(Cancel::is_cancelled) {
                    crew.fail("", Cause::Cancelled);
                }
                Ok(crew)
            }
            Some((stage, error)) => Err(Failure::new(stage.name(), Cause::Build(error))),
        }
    }

    /// Attaches the run to its cancel handles.
    pub(super) fn expose(&self, crew: &Crew) {
        self.cancels.iter().for_each(|cancel| cancel.attach(crew));
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages: Vec<_> = self.stations.iter().map(Station::name).collect();
        f.debug_struct("Plan")
            .field("stages", &stages)
            .field("fault", &self.fault.as_ref().map(|fault| fault.1))
            .finish_non_exhaustive()
    }
}
