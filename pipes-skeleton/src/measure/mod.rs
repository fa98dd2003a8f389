//! Measurements of a pipeline.
//!
//! Each thread measures itself with a [`probe`], and [`timestamps`] keep the times at which items left the
//! source. [`metrics`] collect the figures, and make a [`report`] of them.

pub(crate) mod histogram;
pub(crate) mod metrics;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod timestamps;
