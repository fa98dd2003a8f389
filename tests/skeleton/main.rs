//! Behaviour of the skeletons, tested through the public interface.

mod batching;
mod building;
mod concurrent;
mod corners;
mod divide;
mod endings;
mod farms;
mod hostile;
mod metrics;
mod pacing;
mod panics;
mod posting;
mod slices;
mod sources;
mod ssp;
mod stack;
mod stages;
mod stuck;
mod texts;
mod windows;
