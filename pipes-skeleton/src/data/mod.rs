//! Skeletons for data that lies in memory.
//!
//! A [`team`] of threads, which borrow the data, works on [`shares`] of a slice ([`slices`], [`reduce`]),
//! whose results are combined in a [`tree`]; or on the parts of a problem, which wait in a [`pool`] for a
//! worker and whose results come together in a [`join`] ([`divide`]).

pub(crate) mod divide;
pub(crate) mod join;
pub(crate) mod pool;
pub(crate) mod reduce;
pub(crate) mod shares;
pub(crate) mod slices;
pub(crate) mod team;
pub(crate) mod tree;
