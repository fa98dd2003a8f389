//! The sets of every library, each in a file of its own.

pub mod crossbeam;
pub mod futures;
pub mod pipes;
pub mod tagged;
pub mod tokio;
