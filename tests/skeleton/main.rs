//! What the skeletons promise, seen from outside.
#![cfg(not(pipes_loom))]

mod building;
mod divide;
mod endings;
mod farms;
mod panics;
mod posting;
mod slices;
mod sources;
mod ssp;
mod stages;
mod stuck;
mod windows;
