//! What the tests share: counted payloads, wakers that can be observed, a strict executor, watchdogs,
//! small stacks, protocols, and the places of panics.

mod apart;
mod counted;
mod effort;
mod executor;
mod keeps;
mod panics;
mod protocols;
mod spin;
pub mod stack;
pub mod table;
mod thread_end;
mod threads;
mod waker;
mod watchdog;

pub use apart::{apart, apart_in, this_program};
pub use counted::{Counted, DropCounter};
pub use effort::effort;
pub use executor::{Tasks, give_way};
pub use fastrand::Rng;
pub use keeps::KEEPS;
pub use panics::{documented_panics, panics_here};
pub use pipes_test_attribute::test_in;
pub use protocols::{bank, courier, greeting, pingpong};
pub use spin::{spin, spin_while};
pub use thread_end::at_thread_end;
pub use threads::{JoinHandle, spawn};
pub use waker::{WakeCounter, begun, elsewhere, poll, poll_closed, poll_future};
pub use watchdog::{OnPanic, caught, panics, watch_progress, watched};
