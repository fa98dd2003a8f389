//! Waiting for whichever of a few receivers is first.

mod arms;
mod conditions;
mod control_flow;
mod fairness;
mod functions;
mod kinds;
mod many;
mod names;
mod tasks;
mod waits;
