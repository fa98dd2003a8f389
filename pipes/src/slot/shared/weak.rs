//! Senders that do not keep the stream open.
//!
//! A weak sender is not counted. It becomes a sender by a step that counts one more only if there is at least
//! one, so the last sender, which closes the stream, remains the last one. The weak sender keeps the queue
//! itself alive, with its last block and the block cache, but no message: the receiver takes or drops all
//! messages when it leaves.

use super::queue::Queue;
use super::send::SharedSender;
use crate::sync::Arc;

/// One of the weak senders of a shared stream.
pub(crate) struct WeakSender<T>(Arc<Queue<T>>);

impl<T> WeakSender<T> {
    /// Creates a weak sender of this sender's stream.
    pub(crate) fn of(sender: &SharedSender<T>) -> Self {
        WeakSender(sender.queue().clone())
    }

    /// Returns the number of senders.
    pub(crate) fn senders(&self) -> usize {
        self.0.senders()
    }

    /// Returns a sender, or `None` if the last one has left.
    pub(crate) fn upgrade(&self) -> Option<SharedSender<T>> {
        // The reference count of the queue comes first, because it aborts the process before either count can
        // overflow.
        let queue = self.0.clone();
        queue.join_if_open().then(|| SharedSender::new(queue))
    }
}

impl<T> Clone for WeakSender<T> {
    fn clone(&self) -> Self {
        WeakSender(self.0.clone())
    }
}
