//! Receiving ahead: values that are taken out of a stream before a receiver wants them.

use super::permits::Permits;
use super::port::Port;
use crate::sync::Arc;
use crate::wait::Later;

/// What a receiver owes when it gets a value that was received ahead.
pub(crate) struct Ahead(Option<Arc<Permits>>);

impl Ahead {
    /// Notes that a receiver has got such a value: in a stream that limits unread values, there is room for
    /// another one. Returns the waker of the sender that waits for it.
    #[inline(always)]
    pub(crate) fn received(&self) -> Later {
        self.0.as_ref().map_or_else(Later::default, |permits| permits.give_back(1))
    }
}

impl<T> Port<T> {
    /// Returns what is owed for each value that [`take_ahead`](Self::take_ahead) returns.
    pub(crate) fn ahead(&self) -> Ahead {
        Ahead(self.0.permits())
    }

    /// Takes the next value if it is there, before a receiver wants it; until a receiver gets it, it counts
    /// as unread. Returns `None` from a bounded stream with one sender: its room is the slots themselves, so
    /// it would have room for more values than were promised.
    pub(crate) fn take_ahead(&mut self) -> Option<T> {
        self.0.take_ahead()
    }

    /// Values that were received ahead are about to be dropped, and then the port: the stream refuses further
    /// values now if it does so before its unread ones are dropped.
    pub(crate) fn refuse(&mut self) {
        self.0.refuse();
    }
}
