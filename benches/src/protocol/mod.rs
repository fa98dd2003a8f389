//! The protocols of the programs, written by hand: what `proto!` generates for them, without what they do not use.

pub mod pingpong;
pub mod ring;
pub mod session;
