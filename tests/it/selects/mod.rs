//! Waiting for the first of several receivers.

mod arms;
mod conditions;
mod control_flow;
mod fairness;
mod functions;
mod kinds;
mod many;
mod names;
mod sending;
mod sending_room;
mod tasks;
mod waits;
