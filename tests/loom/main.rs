//! Models: one race a file, every execution of it that the bound allows.
//!
//! Run them with `ci/loom.sh`. Under the model blocks have two slots and one spare block is kept, so that hand-over and
//! recycling happen after a few messages; each thread's first sleep ends for no reason; a payload is a counted reference,
//! whose leak or double drop the model reports.
#![cfg(pipes_loom)]

mod blocks_recycled;
mod cancelled_await_vs_send;
mod close_vs_close;
mod drain_vs_send;
mod recv_vs_drop;
mod send_vs_drop;
mod send_vs_recv;
mod slot_reuse;
mod spurious_poll_vs_last_message;
mod support;
mod timeout_vs_send;
mod unbounded_protocol;
mod waker_replaced_vs_send;
