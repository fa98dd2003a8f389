//! The table of kinds of channels and scenarios. A scenario is a function that is generic over the kind;
//! [`table!`](crate::table!) makes a test of each kind and scenario. A group of scenarios asks for the same
//! abilities. A kind that lacks them says why.

pub mod batches;
pub mod bounded_streams;
pub mod budget;
pub mod buffered;
pub mod cancellation;
pub mod cancellation_queues;
pub mod cloned_receivers;
pub mod cloned_senders;
pub mod closing;
pub mod closing_one_by_one;
pub mod closing_queues;
mod consumed;
pub mod consuming;
pub mod direct;
pub mod ending_threads;
pub mod every;
pub mod executors;
pub mod flavor;
pub mod flavors;
pub mod forgetting;
mod groups;
pub mod latest;
pub mod limited;
pub mod limited_direct;
pub mod members;
pub mod offers;
pub mod one_by_one;
pub mod queues;
pub mod readiness;
pub mod reentrance;
pub mod replacement;
pub mod room;
pub mod selection_queues;
pub mod selections;
pub mod sessions;
pub mod sink_queues;
pub mod sinks;
pub mod stream_queues;
pub mod streams;
pub mod unread;
pub mod waiting_senders;
pub mod wakers;

pub use groups::{Column, GROUPS, markdown};
