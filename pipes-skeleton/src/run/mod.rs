//! How a pipeline runs.
//!
//! A pipeline is started from its end ([`upstream`]). Its [`threads`] are [`spawn`]ed, execute the loops in
//! [`work`], and stop and end together. A stage that processes one item at a time receives from an [`input`];
//! replicas receive from a [`receiver`]. A stage that combines items has a loop of its own ([`gathering`]),
//! and a stage that only maps or drops items has no thread ([`joined`]). A source, or a stage that processes
//! one item at a time, sends to an [`output`]. Inside a region, items travel along [`edge`]s in numbered
//! [`envelope`](super::envelope)s. [`permits`] limit the number of items, a stop ends each wait ([`recv`],
//! [`stopped`]), and [`stage_info`] describes a stage.

pub(crate) mod edge;
pub(crate) mod gathering;
pub(crate) mod input;
pub(crate) mod joined;
pub(crate) mod output;
pub(crate) mod permits;
pub(crate) mod receiver;
pub(crate) mod recv;
pub(crate) mod setting;
mod spawn;
pub(crate) mod stage_info;
pub(crate) mod stamps;
mod stopped;
pub(crate) mod threads;
pub(crate) mod upstream;
pub(crate) mod work;
