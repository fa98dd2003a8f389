//! Receiving ahead: values that are taken out of a stream before a receiver wants them.

use super::permits::Permits;
use super::port::Port;
use crate::sync::Arc;
use crate::wait::DeferredWakes;

/// What a receiver owes when it gets a value that was received ahead.
pub(crate) struct Prefetched(Option<Arc<Permits>>);

impl Prefetched {
    /// Notes that a receiver has got such a value: in a stream that limits unread values, there is room for
    /// another one. Returns the waker of the sender that waits for it.
    #[inline(always)]
    pub(crate) fn received(&self) -> DeferredWakes {
        self.0.as_ref().map_or_else(DeferredWakes::default, |permits| permits.release(1))
    }
}

impl<T> Port<T> {
    /// Returns what is owed for each value that [`prefetch`](Self::prefetch) returns.
    pub(crate) fn prefetched(&self) -> Prefetched {
        Prefetched(self.0.permits())
    }

    /// Takes the next value if it is there, before a receiver wants it; until a receiver gets it, it counts
    /// as unread. Returns `None` from a bounded stream with one sender: its room is the slots themselves, so
    /// it would have room for more values than were promised.
    pub(crate) fn prefetch(&mut self) -> Option<T> {
        self.0.prefetch()
    }

    /// Makes sends fail from now on, if the stream does so before its unread values are dropped. It is called
    /// when values that were received ahead are about to be dropped, and then the port.
    pub(crate) fn reject_sends(&mut self) {
        self.0.reject_sends();
    }
}
