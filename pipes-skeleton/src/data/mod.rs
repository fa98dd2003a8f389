//! Skeletons for data in memory.
//!
//! A [`team`] of threads borrows the data. In [`slices`] and [`reduce`], the threads process [`chunks`] of a
//! slice, whose results are combined in a [`tree`]. In [`divide`], they solve the parts of a problem. The
//! parts wait in a [`pool`] for a worker, and a [`join`] collects their results.

pub(crate) mod chunks;
pub(crate) mod divide;
pub(crate) mod join;
pub(crate) mod pool;
pub(crate) mod reduce;
pub(crate) mod slices;
pub(crate) mod team;
pub(crate) mod tree;
