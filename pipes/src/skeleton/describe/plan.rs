//! What a pipeline has besides its stages: names, limits, handles that cancel it, and errors in its
//! description.

use super::cancel::Cancel;
use crate::skeleton::failure::{BuildError, Cause, Failure};
use crate::skeleton::measure::metrics::Metrics;
use crate::skeleton::run::crew::Crew;
use crate::skeleton::run::station::{Limits, Station};
use crate::sync::Arc;
use std::fmt;
use std::mem::take;

/// How many items may lie between two stages that work one after the other, by default.
const ROOM: usize = 256;
/// How many items may be in a region, by default.
const WINDOW: usize = 256;

/// How many replicas a stage may have.
const MOST_REPLICAS: usize = 1 << 16;

pub(super) struct Plan {
    pub(super) room: usize,
    pub(super) window: usize,
    /// The next stage or sink that works on one item after the other gets them in the order of the source.
    pub(super) in_order: bool,
    /// It is part of a farm, and which.
    part: Option<PartId>,
    stations: Vec<Station>,
    /// The stages of another replica.
    pattern: Vec<Station>,
    fault: Option<(Station, BuildError)>,
    cancels: Vec<Cancel>,
    metrics: Option<Metrics>,
}

/// Which part of which pipeline.
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
        }
    }

    /// That of a part of a farm. The stages of all replicas are the same, as far as they go.
    pub(super) fn of_part(&self, part: &PartId, sister: Option<&Plan>) -> Self {
        let stations = self.stations.clone();
        // The first replica of a farm in another farm has sisters there.
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

    /// Is it part of a farm, or of what goes round?
    pub(super) fn is_nested(&self) -> bool {
        self.part.is_some()
    }

    /// One more stage.
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

    /// Is the next stage that works on one item after the other to restore the order, and can it?
    pub(super) fn orders(&self) -> bool {
        self.in_order && !self.is_nested()
    }

    /// Is the next stage that works on one item after the other, which is this, to get them in the order of
    /// the source?
    pub(super) fn take_order(&mut self) -> bool {
        take(&mut self.in_order)
    }

    /// What holds on the way to this stage, which works on one item after the other.
    pub(super) fn limits(&mut self) -> Limits {
        Limits { room: self.room, window: self.window, in_order: self.take_order() }
    }

    /// Something is wrong with the last stage. What counts is what is said first.
    pub(super) fn fault(&mut self, error: BuildError) {
        if let Some(last) = self.stations.last() {
            self.fault.get_or_insert((last.clone(), error));
        }
    }

    /// This number of replicas, or an error if it is too large.
    pub(super) fn replicas(&mut self, wanted: usize) -> usize {
        self.check(wanted <= MOST_REPLICAS, BuildError::TooManyReplicas);
        wanted.min(MOST_REPLICAS)
    }

    /// Something is wrong unless this holds.
    pub(super) fn check(&mut self, holds: bool, error: BuildError) {
        if !holds {
            self.fault(error);
        }
    }

    pub(super) fn cancelled_by(&mut self, cancel: Cancel) {
        self.cancels.push(cancel);
    }

    pub(super) fn measured(&mut self, metrics: Metrics) {
        self.metrics = Some(metrics);
    }

    /// Takes over what was said of a part of it: of a replica of a farm, or of what goes round.
    pub(super) fn adopt(&mut self, which: &PartId, mut part: Plan) {
        self.check(part.part.as_ref().is_some_and(|it| Arc::ptr_eq(it, which)), BuildError::NotAPart);
        self.check(!part.in_order, BuildError::OrderInFarm);
        (self.room, self.window) = (part.room, part.window);
        // It begins with the stages that are here, and may be one of several replicas.
        let known = self.stations.len().min(part.stations.len());
        self.stations.extend(part.stations.drain(known..));
        self.join(part);
    }

    /// Takes over what was said of one of those that are merged to it, one after the other.
    pub(super) fn merge(&mut self, mut part: Plan) {
        let before = self.stations.len();
        let stations = part.stations.drain(..).inspect(|station| station.move_back(before));
        self.stations.extend(stations);
        self.check(!part.is_nested(), BuildError::NotAPart);
        self.join(part);
    }

    fn join(&mut self, part: Plan) {
        self.cancels.extend(part.cancels);
        self.metrics = self.metrics.take().or(part.metrics);
        if let Some(fault) = part.fault {
            self.fault.get_or_insert(fault);
        }
    }

    /// Who runs it, unless it cannot be run.
    pub(super) fn crew(&mut self) -> Result<Crew, Failure> {
        self.check(!self.is_nested(), BuildError::NotAPart);
        match self.fault.take() {
            None => {
                let crew = Crew::measured(self.metrics.clone());
                if self.cancels.iter().any(Cancel::is_cancelled) {
                    crew.fail("", Cause::Cancelled);
                }
                Ok(crew)
            }
            Some((stage, error)) => Err(Failure::new(stage.name(), Cause::Build(error))),
        }
    }

    /// From now on it can be cancelled.
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
