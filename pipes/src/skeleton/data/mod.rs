//! Skeletons for data that lies in memory.
//!
//! A [`team`] of threads, which borrow the data, works on [`shares`] of a slice ([`slices`], [`reduce`]),
//! whose results are combined in a [`tree`]; or on the parts of a problem, which wait in a [`pool`] for a
//! worker and whose results come together in a [`join`] ([`divide`]).

pub(in crate::skeleton) mod divide;
pub(in crate::skeleton) mod join;
pub(in crate::skeleton) mod pool;
pub(in crate::skeleton) mod reduce;
pub(in crate::skeleton) mod shares;
pub(in crate::skeleton) mod slices;
pub(in crate::skeleton) mod team;
pub(in crate::skeleton) mod tree;
