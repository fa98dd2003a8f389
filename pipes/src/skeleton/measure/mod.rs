//! What a pipeline does, in figures.
//!
//! The threads note it with a [`probe`] each, and with [`stamps`] on what is on its way; [`metrics`] keep it,
//! and make a [`report`] of it.

pub(in crate::skeleton) mod histogram;
pub(in crate::skeleton) mod metrics;
pub(in crate::skeleton) mod probe;
pub(in crate::skeleton) mod process;
pub(in crate::skeleton) mod report;
pub(in crate::skeleton) mod stamps;
