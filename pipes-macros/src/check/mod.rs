//! Facts about a protocol that follow from what is written.
//!
//! # Assumes
//!
//! Resolved names.
//!
//! # Establishes
//!
//! [`Facts`]; and that the generated code has no two items of the same name and no infinite type.
//!
//! # Errors
//!
//! Listed in the documentation of each pass.
//!
//! # Layers
//!
//! Uses `model`, `names` and `diag`; used by `expand`.

mod bounded;
mod collisions;
mod growth;
mod memory;
mod parameters;
mod remote;
mod weightless;

pub(crate) use self::bounded::Bound;
pub(crate) use self::memory::{Argument, Instance, Memory, Room, Written, places, sent_in};
pub(crate) use self::parameters::mentioned;

use crate::diag::Problems;
use crate::model::{Parameter, Protocol, StateId};
use crate::side::Side;

/// The facts that the passes found.
pub(crate) struct Facts {
    /// The parameters of each state's type: those of the protocol that it needs, and its own; lifetimes
    /// first.
    pub(crate) parameters: Vec<Vec<Parameter>>,
    /// All of these parameters, each once: the parameters of a type that can be any state.
    pub(crate) all_parameters: Vec<Parameter>,
    /// For each side, in the order of [`Side::BOTH`], the parameters of the states in which it receives.
    pub(crate) receiving_parameters: [Vec<Parameter>; 2],
    /// The states that no session reaches.
    pub(crate) unreachable: Vec<StateId>,
    /// How many messages can be on their way at once.
    pub(crate) bound: Bound,
    /// The payloads that the slots of a pipe have room for.
    pub(crate) memory: Memory,
}

/// Runs all passes, each after those whose results it needs.
pub(crate) fn check(protocol: &Protocol, problems: &mut Problems) -> Facts {
    collisions::check(protocol, problems);
    let finite = growth::check(protocol, problems);
    let parameters = parameters::find(protocol, problems);
    let all_parameters = parameters::union(protocol, &parameters, problems);
    let receiving_parameters = Side::BOTH.map(|side| parameters::received_by(protocol, &parameters, side));
    let memory = memory::plan(protocol, &parameters, finite, problems);
    let bound = bounded::check(protocol, problems);
    let first = parameters.first().map_or(&[][..], Vec::as_slice);
    remote::check(protocol, &all_parameters, first, problems);
    weightless::check(protocol, problems);
    let reachable = protocol.graph().reachable_from(0);
    let unreachable = (0..protocol.states.len()).filter(|state| !reachable[*state]).collect();
    Facts { parameters, all_parameters, receiving_parameters, unreachable, bound, memory }
}

#[cfg(test)]
mod tests;
