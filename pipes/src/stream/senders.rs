//! Which senders belong to one stream, how many it has, and whether there is room.

use super::shared::{SharedChan, SharedFlavor};
use super::weak::{WeakChan, WeakFlavor};
use crate::sync::Arc;

impl<T> SharedChan<T> {
    /// Returns `true` if there is no room for a value now. Both answers may already be stale. With capacity
    /// 0, it is always `true`.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// assert!(!chan.is_full());
    /// chan.send(1)?;
    /// assert!(chan.is_full());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_full(&self) -> bool {
        match &self.flavor {
            SharedFlavor::Unbounded(_) => false,
            SharedFlavor::Bounded(_, permits) => !permits.seems_free(),
            SharedFlavor::Rendezvous(_) => true,
        }
    }

    /// Returns `true` if both send into the same stream.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_stream::<u32>();
    /// assert!(chan.same_channel(&chan.clone()));
    /// let (other, _port) = pipes::shared_stream();
    /// assert!(!chan.same_channel(&other));
    /// ```
    pub fn same_channel(&self, other: &SharedChan<T>) -> bool {
        Arc::ptr_eq(&self.close_waiters, &other.close_waiters)
    }

    /// Returns the number of senders of this stream, with this one and without weak ones. It may already be
    /// stale.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_stream::<u32>();
    /// let other = chan.clone();
    /// assert_eq!(chan.sender_count(), 2);
    /// drop(other);
    /// assert_eq!(chan.sender_count(), 1);
    /// ```
    pub fn sender_count(&self) -> usize {
        match &self.flavor {
            SharedFlavor::Unbounded(sender) | SharedFlavor::Bounded(sender, _) => sender.senders(),
            SharedFlavor::Rendezvous(sender) => sender.shared.senders(),
        }
    }
}

impl<T> WeakChan<T> {
    /// Returns `true` if both belong to the same stream.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_stream::<u32>();
    /// assert!(chan.downgrade().same_channel(&chan.downgrade()));
    /// ```
    pub fn same_channel(&self, other: &WeakChan<T>) -> bool {
        Arc::ptr_eq(&self.close_waiters, &other.close_waiters)
    }

    /// Returns the number of senders of this stream that are not weak. It may already be stale, unless it is
    /// 0, which it then remains.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_stream::<u32>();
    /// let weak = chan.downgrade();
    /// assert_eq!(weak.sender_count(), 1);
    /// drop(chan);
    /// assert_eq!(weak.sender_count(), 0);
    /// ```
    pub fn sender_count(&self) -> usize {
        match &self.flavor {
            WeakFlavor::Unbounded(sender) | WeakFlavor::Bounded(sender, _) => sender.senders(),
            WeakFlavor::Rendezvous(shared) => shared.senders(),
        }
    }
}
