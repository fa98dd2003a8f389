//! What the tests share: counted payloads, wakers that can be observed, a strict executor, a watchdog,
//! protocols, and the places of panics.

mod apart;
mod counted;
mod effort;
mod executor;
mod keeps;
mod lent;
mod panics;
mod protocols;
mod random;
mod spin;
pub mod table;
mod thread_end;
mod waker;
mod watchdog;

pub use apart::{apart, apart_in};
pub use counted::{Counted, Tally};
pub use effort::effort;
pub use executor::{Tasks, give_way};
pub use keeps::KEEPS;
pub use lent::{Lent, lend};
pub use panics::{documented_panics, panics_here};
pub use protocols::{bank, courier, greeting, pingpong};
pub use random::Random;
pub use spin::spin_while;
pub use thread_end::at_thread_end;
pub use waker::{Bell, meanwhile, poll, poll_closed, poll_future};
pub use watchdog::{caught, panics, watched};
