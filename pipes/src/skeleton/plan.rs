//! What is said of a pipeline beside its stages: names, limits, who may cancel it, and what is wrong with it.

use super::cancel::Cancel;
use super::crew::Crew;
use super::failure::{BuildError, Cause, Failure};
use crate::sync::{Arc, Lock};
use std::fmt;
use std::mem::{replace, take};

/// How many items may lie between two stages that work on one after the other, unless it is said.
const ROOM: usize = 256;
/// How many items may be in a region, unless it is said.
const WINDOW: usize = 256;

pub(super) struct Plan {
    pub(super) room: usize,
    pub(super) window: usize,
    /// The next stage or sink that works on one item after the other gets them in the order of the source.
    pub(super) in_order: bool,
    /// It is part of a farm.
    pub(super) nested: bool,
    stations: Vec<Station>,
    /// How many of them are those of the pipeline that it is a part of.
    known: usize,
    fault: Option<(Station, BuildError)>,
    cancels: Vec<Cancel>,
}

/// A stage's name, which may still change until the pipeline runs.
#[derive(Clone)]
pub(super) struct Station(Arc<Lock<String>>);

impl Plan {
    pub(super) fn new() -> Self {
        Plan {
            room: ROOM,
            window: WINDOW,
            in_order: false,
            nested: false,
            stations: Vec::new(),
            known: 0,
            fault: None,
            cancels: Vec::new(),
        }
    }

    /// That of a part of a farm.
    pub(super) fn of_part(&self) -> Self {
        let (stations, known) = (self.stations.clone(), self.stations.len());
        Plan { room: self.room, window: self.window, nested: true, stations, known, ..Plan::new() }
    }

    /// One more stage.
    pub(super) fn station(&mut self, name: Option<&str>) -> Station {
        let name = name.map_or_else(|| format!("stage {}", self.stations.len()), str::to_owned);
        let station = Station(Arc::new(Lock::new(name)));
        self.stations.push(station.clone());
        station
    }

    /// Renames the last stage.
    pub(super) fn rename(&mut self, name: String) {
        if let Some(last) = self.stations.last() {
            let old = replace(&mut *last.0.lock(), name);
            drop(old);
        }
    }

    /// Is the next stage that works on one item after the other to restore the order, and can it?
    pub(super) fn orders(&self) -> bool {
        self.in_order && !self.nested
    }

    /// Is the next stage that works on one item after the other, which is this, to get them in the order of the source?
    pub(super) fn take_order(&mut self) -> bool {
        take(&mut self.in_order)
    }

    /// Something is wrong with the last stage. What counts is what is said first.
    pub(super) fn fault(&mut self, error: BuildError) {
        if let Some(last) = self.stations.last() {
            self.fault.get_or_insert((last.clone(), error));
        }
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

    /// Takes over what was said of a part.
    pub(super) fn adopt(&mut self, part: Plan) {
        self.stations.extend(part.stations.into_iter().skip(part.known));
        self.cancels.extend(part.cancels);
        if let Some(fault) = part.fault {
            self.fault.get_or_insert(fault);
        }
    }

    /// Who runs it, unless it cannot be run.
    pub(super) fn crew(&mut self) -> Result<Crew, Failure> {
        match self.fault.take() {
            None => Ok(Crew::new()),
            Some((stage, error)) => Err(Failure::new(stage.name(), Cause::Build(error))),
        }
    }

    /// From now on it can be cancelled.
    pub(super) fn expose(&self, crew: &Crew) {
        self.cancels.iter().for_each(|cancel| cancel.watch(crew));
    }
}

impl Station {
    pub(super) fn name(&self) -> String {
        self.0.lock().clone()
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
