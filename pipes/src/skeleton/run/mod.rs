//! How a pipeline runs.
//!
//! It is started from its end ([`origin`]). A [`crew`] of threads does the [`work`] of the stages; it fails,
//! stops and ends together. Items come to a stage from its [`supply`], if it works on one after the other, or
//! through the [`front`] that replicas share; they leave it by an [`outlet`] or a [`lane`], in
//! [`envelope`](super::envelope)s where they are numbered. Limits are [`places`], every wait is one that a
//! stop ends ([`recv`]), and a [`station`] is a stage's place and name.

pub(in crate::skeleton) mod crew;
pub(in crate::skeleton) mod front;
pub(in crate::skeleton) mod lane;
pub(in crate::skeleton) mod origin;
pub(in crate::skeleton) mod outlet;
pub(in crate::skeleton) mod places;
pub(in crate::skeleton) mod recv;
pub(in crate::skeleton) mod station;
pub(in crate::skeleton) mod supply;
pub(in crate::skeleton) mod work;
