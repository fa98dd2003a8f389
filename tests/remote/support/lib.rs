//! What the tests share: protocols, an engine with evil connections, frames and peers by hand, and sizes.

pub mod cable;
pub mod fuzzed;
pub mod net;
pub mod patience;
pub mod payloads;
pub mod peer;
mod protocols;
pub mod raw;
pub mod scripts;
mod sizes;
pub mod stranger;
mod unchecked;

pub use cable::{Cable, Cut, DOWN, Plan, UP, Wire};
pub use net::Net;
pub use patience::{rest, tasks, within};
pub use payloads::{Bomb, Counted, Counts, Trap};
pub use protocols::{bank, bombs, feed, letter, loads, numbers, talk, traps};
pub use sizes::size;
pub use unchecked::Unchecked;
