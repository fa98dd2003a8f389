//! Measurements of a pipeline.
//!
//! Each thread measures itself with a [`probe`], and [`stamps`] keep the times at which items left the
//! source; [`metrics`] collect the figures, and make a [`report`] of them.

pub(in crate::skeleton) mod histogram;
pub(in crate::skeleton) mod metrics;
pub(in crate::skeleton) mod probe;
pub(in crate::skeleton) mod process;
pub(in crate::skeleton) mod report;
pub(in crate::skeleton) mod stamps;
