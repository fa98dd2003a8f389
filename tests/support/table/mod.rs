//! The table of kinds of channels and scenarios. A scenario is a function that is generic over the kind;
//! [`table!`](crate::table!) makes a test of each kind and scenario. A group of scenarios asks for the same
//! abilities. A kind that lacks them says why.

pub mod batches;
pub mod bounded_streams;
pub mod budget;
pub mod buffered;
pub mod cancellation;
pub mod cloned_receivers;
pub mod cloned_senders;
pub mod closing;
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
pub mod queues;
pub mod readiness;
pub mod reentrance;
pub mod replacement;
pub mod room;
pub mod selections;
pub mod sessions;
pub mod sinks;
pub mod streams;
pub mod waiting_senders;
pub mod wakers;

pub use groups::{Column, GROUPS, assert_in_readme};

// Groups that are in the file of another one, because they are about the same.
pub use cancellation as cancellation_queues;
pub use closing_queues as closing_one_by_one;
pub use direct as unread;
pub use queues as one_by_one;
pub use selections as selection_queues;
pub use sinks as sink_queues;
pub use streams as stream_queues;
