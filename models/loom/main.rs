//! Loom models: one race in each file, explored in every execution that the preemption bound allows.
//!
//! Run them with `ci/loom.sh`. In a model, blocks have two slots and one spare block is kept, so that blocks
//! are linked and recycled after a few messages. Each thread's first park ends spuriously. A payload is a
//! counted reference; the model reports one that is leaked or dropped twice.
#![cfg(all(pipes_loom, not(pipes_shuttle)))]

mod block_rewound;
mod blocks_recycled;
mod bounded_closed;
mod bounded_empty;
mod bounded_full;
mod bounded_recv_vs_drop;
mod bounded_run_vs_drop;
mod bounded_run_vs_recv;
mod bounded_send_vs_drop;
mod bounded_timeout_vs_recv;
mod bounded_waker_replaced;
mod cancelled_await_vs_send;
mod close_vs_close;
mod closed_ahead;
mod closed_both_wait;
mod closed_seats;
mod closed_spurious_poll;
mod closed_then_send;
mod closed_timeout_vs_drop;
mod closed_vs_drop;
mod closed_waker_replaced;
mod drain_vs_send;
mod recv_vs_drop;
mod rendezvous_send_vs_recv;
mod rendezvous_vs_drop;
mod rendezvous_withdrawn_vs_recv;
mod rights_passed_on;
mod run_vs_drop;
mod run_vs_recv;
mod select_vs_send;
mod send_vs_drop;
mod send_vs_recv;
mod set_changes_vs_send;
mod set_send_vs_recv;
mod set_vs_drop;
mod set_vs_hostile_waker;
mod set_waker_vs_send;
mod shared_block_end;
mod shared_block_freed;
mod shared_blocks_recycled;
mod shared_close_vs_recv;
mod shared_port_vs_send;
mod shared_send_vs_drop;
mod shared_send_vs_recv;
mod shared_sync_gives_up;
mod shared_sync_send_vs_recv;
mod shared_waker_replaced_vs_send;
mod shared_weak_vs_drop;
mod skeleton_handed_over;
mod skeleton_shared_front;
mod skeleton_stopped;
mod slot_reuse;
mod spurious_poll_vs_last_message;
mod support;
mod timeout_vs_send;
mod tray_claims;
mod tray_vs_line;
mod unbounded_protocol;
mod wait_vs_wait_inside;
mod waker_replaced_at_block_end;
mod waker_replaced_vs_send;
