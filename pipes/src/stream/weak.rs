//! Senders that do not keep their stream open.

use super::close_waiters::CloseWaiters;
use super::permits::Permits;
use super::rendezvous::{Rendezvous, RendezvousSender};
use super::shared::{SharedChan, SharedFlavor};
use crate::slot::WeakSender;
use crate::sync::Arc;
use std::fmt;

/// A sender of a [`shared_stream()`](crate::shared_stream()) or a
/// [`shared_sync_stream()`](crate::shared_sync_stream()) that does not keep the stream open. Create one with
/// [`SharedChan::downgrade`]; [`upgrade`](WeakChan::upgrade) turns it into a sender.
///
/// It is for a list of senders, or for a task that sends to itself, which would otherwise never see the end
/// of its own stream. It keeps the memory of the stream, at most a few empty blocks, but no message.
///
/// ```
/// let (chan, mut port) = pipes::shared_stream();
/// let weak = chan.downgrade();
/// weak.upgrade().expect("a sender is there").send("from a weak one")?;
/// assert_eq!(port.recv(), Ok("from a weak one"));
///
/// drop(chan);
/// assert!(port.recv().is_err(), "the stream has closed");
/// assert!(weak.upgrade().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "WeakSender")]
pub struct WeakChan<T> {
    pub(super) flavor: WeakFlavor<T>,
    pub(super) close_waiters: Arc<CloseWaiters>,
}

/// What a weak sender keeps of each kind of stream.
pub(super) enum WeakFlavor<T> {
    Unbounded(WeakSender<T>),
    Bounded(WeakSender<T>, Arc<Permits>),
    Rendezvous(Arc<Rendezvous<T>>),
}

impl<T> SharedChan<T> {
    /// Returns a weak sender of this stream, which does not keep it open. For an example, see [`WeakChan`].
    #[must_use = "it does nothing by itself"]
    pub fn downgrade(&self) -> WeakChan<T> {
        let flavor = match &self.flavor {
            SharedFlavor::Unbounded(sender) => WeakFlavor::Unbounded(WeakSender::of(sender)),
            SharedFlavor::Bounded(sender, permits) => {
                WeakFlavor::Bounded(WeakSender::of(sender), permits.clone())
            }
            SharedFlavor::Rendezvous(sender) => WeakFlavor::Rendezvous(sender.shared.clone()),
        };
        WeakChan { flavor, close_waiters: self.close_waiters.clone() }
    }
}

impl<T> WeakChan<T> {
    /// Returns a sender, or `None` if the last [`SharedChan`] was dropped. After that, it always returns
    /// `None`.
    ///
    /// If only the port was dropped, it returns a sender, whose sends fail.
    pub fn upgrade(&self) -> Option<SharedChan<T>> {
        let flavor = match &self.flavor {
            WeakFlavor::Unbounded(sender) => SharedFlavor::Unbounded(sender.upgrade()?),
            WeakFlavor::Bounded(sender, permits) => SharedFlavor::Bounded(sender.upgrade()?, permits.clone()),
            WeakFlavor::Rendezvous(shared) => SharedFlavor::Rendezvous(RendezvousSender::of(shared)?),
        };
        Some(SharedChan::new(flavor, self.close_waiters.clone()))
    }
}

impl<T> Clone for WeakChan<T> {
    fn clone(&self) -> Self {
        let flavor = match &self.flavor {
            WeakFlavor::Unbounded(sender) => WeakFlavor::Unbounded(sender.clone()),
            WeakFlavor::Bounded(sender, permits) => WeakFlavor::Bounded(sender.clone(), permits.clone()),
            WeakFlavor::Rendezvous(shared) => WeakFlavor::Rendezvous(shared.clone()),
        };
        WeakChan { flavor, close_waiters: self.close_waiters.clone() }
    }
}

impl<T> fmt::Debug for WeakChan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakChan")
    }
}
