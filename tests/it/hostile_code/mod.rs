//! Code of the user's that the library calls, and that panics, lies, calls back, or takes its time; and
//! payloads that are unusual. What holds for each kind of channel is in the table: `table::reentrance`,
//! `table::direct`, `table::wakers`.

mod borrowed_payloads;
mod forgotten_offers;
mod many_threads;
mod payload_layouts;
mod pipelines;
mod receivers_that_lie;
mod selections;
mod send_of_protocols;
mod set_keys;
mod set_ready_list;
mod wakers_that_panic;
