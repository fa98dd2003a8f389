//! The unit tests of `core` and `std` of Rust 0.5 that tested pipes, or tested something that was built on
//! pipes.

mod core_pipes_peek_terminated;
mod core_pipes_select2;
mod core_task;
mod std_arc;
mod std_comm_duplex_stream;
mod std_future;
mod std_sync;
mod std_task_pool;
