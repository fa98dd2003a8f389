//! What the tests share: counted payloads, wakers that can be observed, a watchdog, protocols, and the places
//! of panics.

mod apart;
mod counted;
mod effort;
mod keeps;
mod lent;
mod panics;
mod protocols;
mod random;
mod spin;
pub mod table;
mod waker;
mod watchdog;

pub use apart::{apart, apart_in};
pub use counted::{Counted, Tally};
pub use effort::effort;
pub use keeps::KEEPS;
pub use lent::{Lent, lend};
pub use panics::{documented_panics, panics_here};
pub use protocols::{bank, courier, greeting, pingpong};
pub use random::Random;
pub use spin::spin_while;
pub use waker::{Bell, poll, poll_future};
pub use watchdog::{caught, watched};
