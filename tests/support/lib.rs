//! What the tests share: counted payloads, wakers that can be seen, a watchdog, protocols.

mod counted;
mod protocols;
mod random;
mod waker;
mod watchdog;

pub use counted::{Counted, Tally};
pub use protocols::{bank, courier, greeting, pingpong};
pub use random::Random;
pub use waker::{Bell, poll, poll_future};
pub use watchdog::{caught, watched};
