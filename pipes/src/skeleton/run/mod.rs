//! How a pipeline runs.
//!
//! It is started from its end ([`origin`]). A [`crew`] of threads does the [`work`] of the stages, each in
//! its [`thread`]; the threads stop and end together. A stage that processes one item after the other gets
//! its items from a [`supply`]; replicas get them from a [`front`] that they share. A source, or a stage that
//! processes one item after the other, sends its items by an [`outlet`]; inside a region, items travel on
//! [`lane`]s, in numbered [`envelope`](super::envelope)s. Limits are [`places`], a stop ends each wait
//! ([`recv`]), and a [`station`] is the place and name of a stage.

pub(in crate::skeleton) mod crew;
pub(in crate::skeleton) mod front;
pub(in crate::skeleton) mod lane;
pub(in crate::skeleton) mod origin;
pub(in crate::skeleton) mod outlet;
pub(in crate::skeleton) mod places;
pub(in crate::skeleton) mod recv;
pub(in crate::skeleton) mod station;
pub(in crate::skeleton) mod supply;
mod thread;
pub(in crate::skeleton) mod work;
