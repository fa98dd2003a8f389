//! How a pipeline runs.
//!
//! It is started from its end ([`origin`]). A [`crew`] of threads does the [`work`] of the stages; it fails, stops and ends together. Items
//! come to a stage from its [`supply`], if it works on one after the other, or through the [`front`] that replicas share; they leave it by
//! an [`outlet`] or a [`lane`], in [`envelope`]s where they are numbered. Limits are [`places`], and every wait is one that a stop ends ([`recv`]).

pub(in crate::skeleton) mod crew;
pub(in crate::skeleton) mod envelope;
pub(in crate::skeleton) mod front;
pub(in crate::skeleton) mod lane;
pub(in crate::skeleton) mod origin;
pub(in crate::skeleton) mod outlet;
pub(in crate::skeleton) mod places;
pub(in crate::skeleton) mod recv;
pub(in crate::skeleton) mod supply;
pub(in crate::skeleton) mod work;
