//! Measurements of a pipeline.
//!
//! Each thread measures itself with a [`probe`]. [`metrics`] collect the figures, and make a [`report`] of
//! them. The times at which items left the source are in their [`stamps`](super::run::stamps).

pub(crate) mod histogram;
pub(crate) mod metrics;
pub(crate) mod probe;
pub(crate) mod report;
