//! Waiting for the first of several receivers, or for room to send. What holds for receivers of every kind is
//! in the table, in the group `selections`.

mod arms;
mod biased;
mod conditions;
mod control_flow;
mod endpoints;
mod fairness;
mod many;
mod names;
mod no_traits;
mod reserved_room;
mod run_time;
mod sending;
mod tasks;
mod waits;
