//! What slots, endpoints, oneshots and streams promise, seen from outside.
#![cfg(not(pipes_loom))]

mod acceptance;
mod auto_traits;
mod closing;
mod closing_peers;
mod drops;
mod generated;
mod hostile;
mod sizes;
mod stages;
mod streams;
mod table;
mod traps;
mod verbs;
mod waiting;
