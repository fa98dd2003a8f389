//! How a pipeline runs.
//!
//! It is started from its end ([`origin`]). A [`crew`] of threads does the [`work`] of the stages, each in
//! its [`thread`]; the threads stop and end together. A stage that processes one item after the other gets
//! its items from a [`supply`]; replicas get them from a [`front`] that they share. A source, or a stage that
//! processes one item after the other, sends its items by an [`outlet`]; inside a region, items travel on
//! [`lane`]s, in numbered [`envelope`](super::envelope)s. Limits are [`places`], a stop ends each wait
//! ([`recv`]), and a [`station`] is the place and name of a stage.

pub(crate) mod crew;
pub(crate) mod front;
pub(crate) mod lane;
pub(crate) mod origin;
pub(crate) mod outlet;
pub(crate) mod places;
pub(crate) mod recv;
pub(crate) mod station;
pub(crate) mod supply;
mod thread;
pub(crate) mod work;
