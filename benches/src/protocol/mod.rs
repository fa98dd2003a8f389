//! The protocols of the programs, written by hand.

pub mod pingpong;
pub mod ring;
pub mod session;
