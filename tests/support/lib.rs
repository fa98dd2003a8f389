//! What the tests share: counted payloads, wakers that can be seen, a watchdog, protocols written by hand.

pub mod bank;
mod counted;
pub mod courier;
pub mod greeting;
pub mod pingpong;
mod random;
mod waker;
mod watchdog;

pub use counted::{Counted, Tally};
pub use random::Random;
pub use waker::{Bell, poll, poll_future};
pub use watchdog::{caught, watched};
